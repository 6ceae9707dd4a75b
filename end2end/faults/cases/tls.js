// Receivers whose TLS is wrong. The authority of `certificates` is trusted (BOTIX_EXTRA_CA_FILE), so that each of them has
// the one fault that its name says.
import { answer } from "../server.js";

const ok = (socket) => socket.end(answer(200));

export function tls(certificates) {
  const shows = (name, certificate, more = {}) => ({ name: `TLS, ${name}`, play: ok, tls: { ...certificate, ...more } });
  return [
    shows("all is well", certificates.good),
    shows("1.2 only", certificates.good, { maxVersion: "TLSv1.2" }),
    shows("the certificate has expired", certificates.expired),
    shows("the certificate is not valid yet", certificates.notYet),
    shows("the certificate is for another name", certificates.wrongName),
    shows("the issuer is unknown", certificates.unknownIssuer),
    shows("the certificate is self-signed", certificates.selfSigned),
    shows("1.1 only", certificates.good, { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" }),
    shows("it wants a certificate of ours", certificates.good, { requestCert: true, rejectUnauthorized: true }),
    { name: "TLS, plain HTTP on the port", scheme: "https", greet: (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n") },
    { name: "TLS, the handshake is never answered", scheme: "https", greet: () => {} },
    { name: "TLS, the handshake is broken off", scheme: "https", greet: (socket) => socket.once("data", () => socket.end()) },
    { name: "TLS on a port that is called `http`", scheme: "http", play: ok, tls: certificates.good },
  ];
}
