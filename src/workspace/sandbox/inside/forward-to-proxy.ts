// Runs inside the sandbox: package managers know proxies by host and port only, and the way out is a unix socket.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

const [socketPath = "", command = "", ...args] = process.argv.slice(2);

const server = createServer((client) => {
  const proxy = connect(socketPath);
  client.pipe(proxy);
  proxy.pipe(client);
  client.on("error", () => proxy.destroy());
  proxy.on("error", () => client.destroy());
  client.once("close", () => proxy.destroy());
  proxy.once("close", () => client.destroy());
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const proxyVariables = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "http_proxy",
  "https_proxy",
  "npm_config_proxy",
  "npm_config_https_proxy",
  "YARN_HTTP_PROXY",
  "YARN_HTTPS_PROXY",
];
const child = spawn(command, args, {
  stdio: "inherit",
  env: { ...process.env, ...Object.fromEntries(proxyVariables.map((name) => [name, proxy])) },
});
child.once("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.once("exit", (code) => process.exit(code ?? 1));
