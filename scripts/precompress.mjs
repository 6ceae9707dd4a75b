// precompress.mjs FOLDER: a brotli copy beside each file that shrinks by it, and the sizes of what the first page loads.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const COMPRESSIBLE = new Set([".js", ".wasm", ".css", ".svg", ".txt", ".json", ".xml", ".html"]);
const folder = process.argv[2];
let first = 0;

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !COMPRESSIBLE.has(extname(entry.name))) continue;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const raw = readFileSync(path);
  const small = brotliCompressSync(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
  });
  if (small.length < raw.length) writeFileSync(`${path}.br`, small);
  if (path.includes("/pkg/")) first += Math.min(small.length, raw.length);
  console.error(`${entry.name.padEnd(16)} ${kilobytes(raw.length)} raw ${kilobytes(small.length)} brotli`);
}

console.error(`the first page loads ${kilobytes(first).trim()} (brotli) beside its HTML`);

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`.padStart(11);
}
