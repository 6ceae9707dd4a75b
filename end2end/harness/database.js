// The database a test runs on: BOTIX_TEST_DATABASE says which kind. SQLite is a file in the server's data folder; on
// PostgreSQL each test gets a database of its own on the throw-away server of scripts/with-services.sh.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";

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

/** Runs a statement beside the server, for what no door of the product leads to. */
export function execute({ database, folder }, statement) {
  if (database.kind === "postgres") return psql(database.env.DATABASE_URL, statement);
  const script = "import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1], timeout=30)\ndb.execute(sys.argv[2])\ndb.commit()";
  execFileSync("python3", ["-c", script, join(folder, "botix.db"), statement], { stdio: ["ignore", "ignore", "inherit"] });
}
