// dependencies.mjs: what `cargo deny check` would say about licences, sources and doubles, from `cargo metadata` alone, so
// that `make test` need not build a tool for it. The rules are read from deny.toml, which works with the real one as well.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const rules = readRules("deny.toml");
const metadata = JSON.parse(
  execFileSync("cargo", ["metadata", "--format-version", "1", "--locked"], { maxBuffer: 1 << 28, encoding: "utf8" }),
);
const found = [...licences(), ...sources(), ...banned(), ...doubles(), ...lockFiles()];
for (const line of found) console.error(`dependencies: ${line}`);
if (found.length > 0) process.exit(1);
console.error(`dependencies: ${metadata.packages.length} packages; licences, sources and lock files are in order`);

/** The lists of deny.toml that are checked here: allowed licences, banned crates, tolerated doubles. */
function readRules(path) {
  const text = readFileSync(path, "utf8").replaceAll(/^\s*#.*$/gm, "");
  const list = (name) => text.match(new RegExp(`^${name} = \\[([^\\]]*)\\]`, "m"))?.[1] ?? "";
  const strings = (part) => [...part.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
  const crates = (part) => [...part.matchAll(/(?:crate|name) = "([^"]+)"/g)].map((match) => match[1].split("@")[0]);
  return { allow: strings(list("allow")), deny: crates(list("deny")), skip: crates(list("skip")) };
}

function licences() {
  return metadata.packages
    .filter((each) => each.source !== null && !satisfied(each.license ?? ""))
    .map((each) => `${each.name} ${each.version} is under "${each.license}", which deny.toml does not allow`);
}

/** An SPDX expression with OR, AND, WITH and brackets; `/` is the old way to write OR. */
function satisfied(expression) {
  const tokens = expression.replaceAll("/", " OR ").match(/\(|\)|[^\s()]+/g) ?? [];
  let at = 0;
  const either = () => {
    let value = both();
    while (tokens[at] === "OR") { at++; value = both() || value; }
    return value;
  };
  const both = () => {
    let value = one();
    while (tokens[at] === "AND") { at++; value = one() && value; }
    return value;
  };
  const one = () => {
    if (tokens[at] === "(") { at++; const value = either(); at++; return value; }
    const name = tokens[at++] ?? "";
    if (tokens[at] !== "WITH") return rules.allow.includes(name);
    const exception = tokens[at + 1];
    at += 2;
    return rules.allow.includes(name) || rules.allow.includes(`${name} WITH ${exception}`);
  };
  return either() && at === tokens.length;
}

/** Everything comes from one registry: nothing from a branch of somebody's repository, nothing from a second registry. */
function sources() {
  const foreign = metadata.packages.filter((each) => each.source !== null);
  return foreign
    .filter((each) => !each.source.startsWith("registry+") || each.source !== foreign[0].source)
    .map((each) => `${each.name} comes from ${each.source}, not from the one registry`);
}

function banned() {
  return metadata.packages.filter((each) => rules.deny.includes(each.name)).map((each) => `${each.name} is banned by deny.toml`);
}

/** Two versions of a crate that we name ourselves: one of them came in by accident. Deeper doubles are others' affair. */
function doubles() {
  const direct = new Set(metadata.packages.filter((each) => each.source === null).flatMap((each) => each.dependencies.map((one) => one.name)));
  const versions = Map.groupBy ? Map.groupBy(metadata.packages, (each) => each.name) : groupByName(metadata.packages);
  return [...versions]
    .filter(([name, all]) => all.length > 1 && direct.has(name) && !rules.skip.includes(name))
    .map(([name, all]) => `${name} comes in more than once: ${all.map((each) => each.version).join(", ")}`);
}

function groupByName(packages) {
  const groups = new Map();
  for (const each of packages) groups.set(each.name, [...(groups.get(each.name) ?? []), each]);
  return groups;
}

/** Lock files name versions and checksums, never the address that one machine happened to download from. */
function lockFiles() {
  return ["package-lock.json", "end2end/package-lock.json", "scripts/wasm-opt/package-lock.json"]
    .filter((path) => existsSync(path) && readFileSync(path, "utf8").includes('"resolved"'))
    .map((path) => `${path} holds download addresses: npm install with omit-lockfile-registry-resolved=true`);
}
