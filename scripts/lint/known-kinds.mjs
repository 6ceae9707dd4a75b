// Each kind of failure in docs/failures.md has a test named after it.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;

function* files(folder, suffix) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") yield* files(path, suffix);
    else if (entry.name.endsWith(suffix)) yield readFileSync(join(root, path), "utf8");
  }
}

const kinds = [...readFileSync(join(root, "docs/failures.md"), "utf8").matchAll(/^\| ([a-z0-9]+(?:-[a-z0-9]+)+) \|/gm)].map((row) => row[1]);
const tests = [
  ...[...files("crates", ".rs"), ...files("server", ".rs"), ...files("app", ".rs")].flatMap((text) => [...text.matchAll(/\bfn (\w+)/g)].map((name) => name[1].replaceAll("_", "-"))),
  ...[...files("end2end", ".test.js"), ...files("end2end", ".spec.js")].flatMap((text) => [...text.matchAll(/\btest\(\s*["`]([^"`]+)/g)].map((name) => name[1])),
];
const untested = kinds.filter((kind) => !tests.some((name) => name.includes(kind)));
if (kinds.length === 0 || untested.length > 0) {
  console.error(`known kinds: no test is named after ${untested.join(", ") || "any, for the table is empty"}`);
  process.exit(1);
}
console.log(`known kinds: ${kinds.length}, each with a test`);
