import AdmZip from "adm-zip";
import unzipper from "unzipper";
import * as tar from "tar-stream";
import yauzl from "yauzl";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

export function unpackZip(file: string, target: string): void {
  for (const entry of new AdmZip(file).getEntries()) {
    // wrong: CWE-22 entry name may climb out
    writeFileSync(join(target, entry.entryName), entry.getData());
  }
}

export function unpackZipChecked(file: string, target: string): void {
  for (const entry of new AdmZip(file).getEntries()) {
    const out = resolve(target, entry.entryName);
    if (!out.startsWith(resolve(target) + sep)) continue;
    mkdirSync(dirname(out), { recursive: true });
    // right: CWE-22 entries outside are left out
    writeFileSync(out, entry.getData());
  }
}

export function unpackStream(stream: NodeJS.ReadableStream, target: string): void {
  stream.pipe(unzipper.Parse()).on("entry", (entry) => {
    const name = entry.path;
    // wrong: CWE-22 path of a streamed entry
    entry.pipe(createWriteStream(join(target, name)));
  });
}

export function unpackStreamFlat(stream: NodeJS.ReadableStream, target: string): void {
  stream.pipe(unzipper.Parse()).on("entry", (entry) => {
    // right: CWE-22 base name only
    entry.pipe(createWriteStream(join(target, basename(entry.path))));
  });
}

export function unpackTar(target: string) {
  const extract = tar.extract();
  extract.on("entry", (header, stream, next) => {
    // wrong: CWE-22 name in a tar header
    stream.pipe(createWriteStream(target + "/" + header.name));
    stream.on("end", next);
  });
  return extract;
}

export function listTar() {
  const extract = tar.extract();
  extract.on("entry", (header, stream, next) => {
    // right: CWE-22 name is printed and not opened
    console.log(header.name, header.size);
    stream.resume();
    stream.on("end", next);
  });
  return extract;
}

export function unpackLazily(file: string, target: string): void {
  yauzl.open(file, { lazyEntries: true }, (_error, zip) => {
    zip!.on("entry", (entry: yauzl.Entry) => {
      if (entry.fileName.includes("..")) return zip!.readEntry();
      zip!.openReadStream(entry, (_failure, stream) => {
        // right: CWE-22 names with dots are skipped, yauzl refuses absolute ones
        stream!.pipe(createWriteStream(join(target, entry.fileName)));
      });
    });
  });
}
