import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "./sandbox-machine.ts";

export interface Registry {
  readonly host: string;
  readonly asked: string[];
}

/** A registry with one package, whose scripts would leave a trace where it is installed. */
export async function startRegistry(): Promise<Registry> {
  const tarball = packageTarball();
  const asked: string[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url?.endsWith(".tgz")) return response.end(tarball);
    const dist = {
      tarball: `http://${request.headers.host}/traced/-/traced-1.0.0.tgz`,
      integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
    };
    const version = { name: "traced", version: "1.0.0", dist, hasInstallScript: true };
    const more = { "dist-tags": { latest: "1.0.0" }, time: { "1.0.0": PUBLISHED } };
    response.end(JSON.stringify({ name: "traced", versions: { "1.0.0": version }, ...more }));
  }).listen(0, "127.0.0.1");
  server.unref();
  await once(server, "listening");
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const PUBLISHED = "2026-01-31T12:00:00.000Z";

export const TRACE = {
  preinstall: "touch traced",
  install: "touch traced",
  postinstall: "touch traced",
  prepare: "touch traced",
};

function packageTarball(): Buffer {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "package"));
  writeFileSync(
    join(folder, "package", "package.json"),
    JSON.stringify({ name: "traced", version: "1.0.0", scripts: TRACE }),
  );
  return spawnSync("tar", ["-cz", "package"], { cwd: folder }).stdout;
}
