// architecture.mjs: fails when a crate imports upward (ARCHITECTURE.md says who may import whom, and why).
//
// Reads what cargo itself sees (`cargo metadata`), so that a dependency cannot hide behind a feature, a target or a
// rename. Each run first breaks the rules in
// memory and fails unless that is noticed.
import { execFileSync } from "node:child_process";

/** Who may import whom. A crate that is missing here may import nothing of ours, and must be added on purpose. */
const MAY_IMPORT = {
  "botix-domain": [],
  "botix-store": ["botix-domain"],
  "botix-delivery": ["botix-store", "botix-domain"],
  "botix-api": ["botix-store", "botix-domain"],
  "botix-app": ["botix-store", "botix-domain"],
  "botix-frontend": ["botix-app", "botix-domain"],
  "botix-server": ["botix-app", "botix-api", "botix-delivery", "botix-store", "botix-domain"],
};

/** What `domain` must never reach for: it has no clock, no I/O, no framework, and compiles for the browser. */
const NOT_IN_DOMAIN = ["sqlx", "axum", "leptos", "tokio", "hyper", "getrandom", "web-sys"];

/** The faults in the given packages, one line each. */
function faults(packages) {
  const ours = new Set(packages.map((each) => each.name));
  return packages.flatMap((each) => {
    const allowed = MAY_IMPORT[each.name];
    if (!allowed) return [`${each.name} is not in scripts/lint/architecture.mjs: decide what it may import`];
    const upward = importsOf(each)
      .filter((name) => ours.has(name) && name !== each.name && !allowed.includes(name))
      .map((name) => `${each.name} imports ${name}; it may import ${allowed.join(", ") || "nothing of ours"}`);
    const foreign = each.name === "botix-domain" ? importsOf(each, ["dev"]).filter((name) => NOT_IN_DOMAIN.includes(name)) : [];
    return [...upward, ...foreign.map((name) => `botix-domain imports ${name}; it is pure vocabulary`)];
  });
}

function importsOf(each, except = []) {
  return each.dependencies.filter((one) => !except.includes(one.kind)).map((one) => one.name);
}

function selfTest(packages) {
  const broken = structuredClone(packages);
  broken.find((each) => each.name === "botix-store").dependencies.push({ name: "botix-api", kind: null });
  broken.find((each) => each.name === "botix-domain").dependencies.push({ name: "tokio", kind: null });
  const noticed = faults(broken).length - faults(packages).length;
  if (noticed !== 2) throw new Error(`the lint noticed ${noticed} of 2 planted faults`);
}

const metadata = JSON.parse(
  execFileSync("cargo", ["metadata", "--format-version", "1", "--no-deps"], { maxBuffer: 1 << 28, encoding: "utf8" }),
);
selfTest(metadata.packages);
const found = faults(metadata.packages);
for (const line of found) console.error(`architecture: ${line}`);
if (found.length > 0) process.exit(1);
console.error(`architecture: ${metadata.packages.length} crates, no import upward`);
