// Names that lead nowhere, or where nothing is sent.
import { FaultServer, answer } from "../server.js";

export function names(dns) {
  const leads = (name, says) => ({
    name,
    needs: "dns",
    start: async () => {
      const server = await FaultServer.start({ play: (socket) => socket.end(answer(200)) });
      const host = dns.set(`case-${server.port}.example.com`, says);
      return { url: `http://${host}:${server.port}/`, requests: server.requests, stop: () => server.stop() };
    },
  });
  const blocked = (name, says) => ({ ...leads(name, says), unsent: true });
  return [
    leads("the name does not exist (NXDOMAIN)", "NXDOMAIN"),
    leads("the resolver fails (SERVFAIL)", "SERVFAIL"),
    leads("the resolver refuses (REFUSED)", "REFUSED"),
    leads("the resolver is silent", "silence"),
    leads("the name has no address", []),
    blocked("the name leads to a private address", ["10.0.0.1"]),
    blocked("the name leads to private addresses of both families", ["192.168.1.1", "fd00::1"]),
    blocked("the name leads to cloud metadata", ["169.254.169.254"]),
    leads("the name leads to a private address and an allowed one", ["10.0.0.1", "127.0.0.1"]),
  ];
}
