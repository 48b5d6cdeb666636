import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname } from "node:path";

/** A registry on this machine that hands out one package. */
export interface PackageRegistry {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  /** With its port. */
  readonly host: string;
  /** Its address. */
  readonly tarball: string;
  readonly integrity: string;
  close(): void;
}

/** @param folder an installed package, which is packed as it is */
export async function startRegistry(folder: string): Promise<PackageRegistry> {
  const { name, version, bin } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as PackageRegistry;
  const rename = `--transform=s,^${basename(folder)},package,`;
  const packed = spawnSync("tar", ["-cz", rename, basename(folder)], { cwd: dirname(folder), maxBuffer: 2 ** 28 });
  if (packed.status !== 0) throw new Error(`${folder} cannot be packed: ${packed.stderr}`);
  const server = createServer((_, response) => response.end(packed.stdout)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const integrity = `sha512-${createHash("sha512").update(packed.stdout).digest("base64")}`;
  const tarball = `http://${host}/${name}/-/${name}-${version}.tgz`;
  return { name, version, bin, host, tarball, integrity, close: () => server.close() };
}
