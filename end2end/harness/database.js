// The database a test runs on: BOTIX_TEST_DATABASE says which kind. SQLite is a file in the server's data folder; on
// PostgreSQL each test gets a database of its own on the throw-away server of scripts/with-services.sh.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";

export const databaseKind = process.env.BOTIX_TEST_DATABASE ?? "sqlite";

export function newDatabase(kind = databaseKind) {
  if (kind === "sqlite") return { kind, env: {}, drop() {} };
  const server = process.env.BOTIX_TEST_POSTGRES_URL;
  if (!server) throw new Error("BOTIX_TEST_POSTGRES_URL is not set: run by scripts/e2e.sh");
  const name = `e2e_${randomBytes(6).toString("hex")}`;
  psql(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    kind,
    env: { DATABASE_URL: url.href },
    drop: () => psql(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

function psql(url, statement) {
  execFileSync("psql", [url, "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--command", statement], { stdio: ["ignore", "ignore", "inherit"] });
}
