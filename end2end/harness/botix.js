// The real binary, started as an operator would: a data folder of its own, a free port, configuration by environment.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { Api } from "./api.js";
import { newDatabase } from "./database.js";
import { freePort } from "./ports.js";
import { eventually } from "./wait.js";

const run = promisify(execFile);

export const BINARY = process.env.BOTIX_BINARY ?? fileURLToPath(new URL("../../target/debug/botix", import.meta.url));

/** Nothing of the caller's configuration reaches the tested process. */
const AMBIENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("BOTIX_") && !name.startsWith("LEPTOS_") && name !== "DATABASE_URL"),
);

export class Installation {
  /** A data folder and a database, no process yet. `env` is added to every command and process of it. */
  static async create({ env = {}, database = newDatabase() } = {}) {
    const folder = await mkdtemp(join(tmpdir(), "botix-"));
    const made = new Installation();
    made.folder = folder;
    made.database = database;
    made.env = {
      ...AMBIENT,
      ...database.env,
      BOTIX_DATA_DIR: folder,
      BOTIX_SECRET_KEY: "end-to-end-tests-only-0123456789abcdef",
      BOTIX_ALLOWED_PRIVATE_NETWORKS: "127.0.0.0/8",
      BOTIX_RATE_LIMIT: "1000000",
      BOTIX_LOG: "warn",
      ...env,
    };
    made.processes = [];
    await made.cli("migrate");
    return made;
  }

  /** Runs one command to its end and returns its standard output. */
  async cli(...args) {
    const { stdout } = await run(BINARY, args, { env: this.env, timeout: 30_000 });
    return stdout;
  }

  /** A project with a key, made by the command line, and a client that uses them. */
  async project(server, { name = "Shop", scopes = "read,write" } = {}) {
    const project = JSON.parse(await this.cli("project", "create", "--name", name));
    const key = JSON.parse(await this.cli("api-key", "create", "--project", project.id, "--name", "tests", "--scopes", scopes));
    return { ...project, key: key.key, keyId: key.id, api: new Api(server, key.key) };
  }

  /** Starts a process and waits until it is ready; `runner` is a program, with its arguments, that becomes it. */
  async start(command = ["serve"], env = {}, runner = []) {
    const server = await Server.start(command, { ...this.env, ...env }, runner);
    this.processes.push(server);
    return server;
  }

  /** Ends every process and removes what they wrote. */
  async remove() {
    await Promise.all(this.processes.map((each) => each.kill()));
    await rm(this.folder, { recursive: true, force: true });
    this.database.drop();
  }
}

export class Server {
  static async start(command, env, runner = []) {
    const port = await freePort();
    const server = new Server();
    server.url = `http://127.0.0.1:${port}`;
    server.output = "";
    const [program, ...args] = [...runner, BINARY, ...command];
    server.process = spawn(program, args, { env: { ...env, BOTIX_LISTEN: `127.0.0.1:${port}` }, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [server.process.stdout, server.process.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (server.output += text));
    }
    server.exited = once(server.process, "exit").then(([code, signal]) => (server.ended = { code, signal }));
    server.process.on("error", (error) => (server.ended = { error }));
    await eventually(
      `${command.join(" ")} answers /readyz`,
      async () => {
        if (server.ended) throw new Error(`it ended: ${JSON.stringify(server.ended)}\n${server.output}`);
        return (await fetch(`${server.url}/readyz`)).ok;
      },
      { within: 30_000 },
    ).catch(async (error) => {
      await server.kill();
      throw new Error(`${error.message}\n${server.output}`);
    });
    return server;
  }

  /** Asks it to end and waits for that: SIGTERM, as a supervisor does. */
  async stop() {
    if (!this.ended) this.process.kill("SIGTERM");
    return this.exited;
  }

  /** kill -9: the machine loses power. */
  async kill() {
    if (!this.ended) this.process.kill("SIGKILL");
    return this.exited;
  }
}
