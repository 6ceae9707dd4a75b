// The database goes away and comes back. PostgreSQL stands behind a proxy that is cut; SQLite's file is locked by another
// process, which is as far away as a file can be.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { Installation } from "./botix.js";
import { databaseKind, newDatabase } from "./database.js";
import { Proxy } from "./proxy.js";

const LOCK = `
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
held.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
`;

/** An installation whose database can be taken away: `{installation, server, away(), back(), remove()}`. */
export async function onFragileDatabase(env) {
  const database = newDatabase();
  if (databaseKind === "sqlite") {
    const installation = await Installation.create({ database, env });
    const server = await installation.start();
    let locker;
    return {
      installation,
      server,
      async away() {
        const file = readdirSync(installation.folder).find((name) => /\.(sqlite3?|db)$/.test(name));
        locker = spawn("python3", ["-c", LOCK, join(installation.folder, file)], { stdio: ["pipe", "pipe", "inherit"] });
        await once(locker.stdout, "data");
      },
      async back() {
        locker.stdin.end();
        await once(locker, "exit");
      },
      remove: () => installation.remove(),
    };
  }
  const url = new URL(database.env.DATABASE_URL);
  const proxy = await Proxy.start({ host: url.hostname, port: Number(url.port) });
  const installation = await Installation.create({ database, env });
  url.host = `127.0.0.1:${proxy.port}`;
  const server = await installation.start(["serve"], { DATABASE_URL: url.href });
  const remove = async () => {
    await installation.remove();
    await proxy.stop();
  };
  return { installation, server, away: () => proxy.cut(), back: () => proxy.restore(), remove };
}
