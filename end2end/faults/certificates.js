// Certificates of every kind of wrongness, made by openssl for one run: an authority, and leaves that it signed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Certificates {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "botix-ca-"));
    this.authority = this.#authority("trusted");
    this.good = this.#leaf("good", this.authority);
    this.expired = this.#leaf("expired", this.authority, { from: "20200101000000Z", until: "20200201000000Z" });
    this.notYet = this.#leaf("not-yet", this.authority, { from: "21000101000000Z", until: "21000201000000Z" });
    this.wrongName = this.#leaf("wrong-name", this.authority, { names: "DNS:other.example.com" });
    this.unknownIssuer = this.#leaf("unknown-issuer", this.#authority("stranger"));
    this.selfSigned = this.#self("self-signed", "subjectAltName=IP:127.0.0.1");
  }

  /** The file to name in BOTIX_EXTRA_CA_FILE. */
  get file() {
    return join(this.folder, "trusted.pem");
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #openssl(...args) {
    execFileSync("openssl", args, { cwd: this.folder, stdio: ["ignore", "ignore", "pipe"] });
  }

  #pair(name) {
    const read = (end) => readFileSync(join(this.folder, `${name}.${end}`));
    return { name, cert: read("pem"), key: read("key") };
  }

  #self(name, ...extensions) {
    const added = extensions.flatMap((each) => ["-addext", each]);
    this.#openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj", `/CN=${name}`, ...added, "-keyout", `${name}.key`, "-out", `${name}.pem`);
    return this.#pair(name);
  }

  #authority(name) {
    return this.#self(name, "keyUsage=critical,keyCertSign,cRLSign");
  }

  /** `openssl ca` and not `openssl x509`, because only it takes a beginning and an end. */
  #leaf(name, issuer, { names = "IP:127.0.0.1,DNS:localhost", from, until } = {}) {
    const config = [
      "[ca]", "default_ca=one", "[one]", "database=index.txt", "new_certs_dir=.", "rand_serial=yes", "default_md=sha256", "default_days=30",
      "unique_subject=no", "policy=any", "x509_extensions=leaf", "[any]", "commonName=supplied", "[leaf]", `subjectAltName=${names}`, "",
    ];
    writeFileSync(join(this.folder, `${name}.cnf`), config.join("\n"));
    writeFileSync(join(this.folder, "index.txt"), "");
    this.#openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
    const period = from ? ["-startdate", from, "-enddate", until] : [];
    this.#openssl("ca", "-batch", "-notext", "-config", `${name}.cnf`, "-cert", `${issuer.name}.pem`, "-keyfile", `${issuer.name}.key`, ...period, "-in", `${name}.csr`, "-out", `${name}.pem`);
    return this.#pair(name);
  }
}
