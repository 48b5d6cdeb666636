import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "./sandbox-machine.ts";

/** A lock of each kind in which a project needs one package on this machine, and one that no machine of ours has. */
export function locksOf(sha256: string): Record<string, string>[] {
  const entry = (name: string) => `[[package]]\nname = "${name}"\nversion = "1.0"\n`;
  const elsewhere = "sys_platform == 'win32'";
  const ofUv = (name: string) =>
    `${entry(name)}source = { registry = "https://pypi.org/simple" }\nwheels = [{ url = "x.whl", hash = "sha256:${sha256}" }]\n`;
  const uv = `version = 1\n[[package]]\nname = "shop"\nversion = "2.1"\nsource = { editable = "." }
dependencies = [{ name = "wheeled" }, { name = "missing", marker = "${elsewhere}" }]\n`;
  const ofPoetry = (name: string, more: string) =>
    `${entry(name)}groups = ["main"]\n${more}files = [{file = "x.whl", hash = "sha256:${sha256}"}]\n`;
  const poetry = [ofPoetry("wheeled", ""), ofPoetry("missing", `markers = "${elsewhere}"\n`)];
  return [
    { "uv.lock": [uv, ofUv("wheeled"), ofUv("missing")].join("\n") },
    { "poetry.lock": [...poetry, '[metadata]\nlock-version = "2.1"\n'].join("\n") },
  ];
}

export interface PythonIndex extends AsyncDisposable {
  /** Where it is, with `/simple` behind it. */
  readonly host: string;
  /** SHA-256 of the wheel of `wheeled`. */
  readonly hash: string;
  /** Paths that were asked for. */
  readonly asked: string[];
}

const FILES: Readonly<Record<string, string>> = {
  wheeled: "wheeled-1.0-py3-none-any.whl",
  sourced: "sourced-1.0.tar.gz",
};

/** A simple index with a wheel, which has the answer, and a source package whose setup would leave a trace. Needs Python. */
export async function startIndex(): Promise<PythonIndex> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "make.py"), MAKE);
  const made = spawnSync("/usr/bin/python3", ["make.py"], { cwd: folder });
  if (made.status !== 0) throw new Error(`The packages were not made: ${made.stderr}`);
  const asked: string[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    asked.push(request.url ?? "");
    const name = (request.url ?? "").split("/").filter(Boolean).at(-1) ?? "";
    const file = FILES[name];
    if (file !== undefined)
      return response.setHeader("content-type", "text/html").end(`<a href="/files/${file}">${file}</a>`);
    if (Object.values(FILES).includes(name)) return response.end(readFileSync(join(folder, name)));
    return response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const wheel = readFileSync(join(folder, FILES.wheeled!));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    hash: createHash("sha256").update(wheel).digest("hex"),
    asked,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

const MAKE = `import io, tarfile, zipfile
with zipfile.ZipFile("wheeled-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("wheeled.py", "answer = 42\\n")
    wheel.writestr("wheeled-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: wheeled\\nVersion: 1.0\\n")
    wheel.writestr("wheeled-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("wheeled-1.0.dist-info/RECORD", "")
with tarfile.open("sourced-1.0.tar.gz", "w:gz") as source:
    data = b"open('/box/traced', 'w')\\n"
    info = tarfile.TarInfo("sourced-1.0/setup.py")
    info.size = len(data)
    source.addfile(info, io.BytesIO(data))
`;
