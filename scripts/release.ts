// Makes what a release is, in a folder: node scripts/release.ts <folder> [--key <Ed25519 private key, PEM>]
//   forge-lifecycle-<version>.tgz               the package (npm pack)
//   forge-lifecycle-<version>.cdx.json          what it needs in use, by the lock file (CycloneDX)
//   forge-lifecycle-<version>.provenance.json   from which commit it was made, and how (in-toto statement, SLSA provenance 1); unsigned, or with a key
//                                     in a signed envelope (DSSE)
//   SHA256SUMS                        sha256sum --check SHA256SUMS
// It publishes nothing, and begins only where everything is committed.
import { execFileSync } from "node:child_process";
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({ options: { key: { type: "string" } }, allowPositionals: true });
const [given] = positionals;
if (given === undefined || positionals.length > 1) fail("say in which one folder the release is to lie");
const folder = resolve(given);
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty: name a new folder`);
const uncommitted = run("git", "status", "--porcelain");
if (uncommitted !== "") fail(`not everything is committed, so no commit would say what is in it:\n${uncommitted}`);
const key = values.key === undefined ? undefined : readKey(values.key);

const { name, version } = JSON.parse(readFileSync("package.json", "utf8")) as { name: string; version: string };
const base = `${name}-${version}`;
const began = new Date().toISOString();
const commit = run("git", "rev-parse", "HEAD");
mkdirSync(folder, { recursive: true });

// npm tells on standard output what the build in its `prepack` says, too.
run("npm", "pack", "--silent", "--pack-destination", folder);
const tarball = `${base}.tgz`;

const bill = JSON.parse(run("npm", "sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--omit", "dev"));
// npm names it after the folder of the checkout.
bill.metadata.component.name = name;
write(`${base}.cdx.json`, bill);

const statement = {
  _type: "https://in-toto.io/Statement/v1",
  subject: [tarball, `${base}.cdx.json`].map((file) => ({
    name: file,
    digest: { sha256: digestOf(join(folder, file)) },
  })),
  predicateType: "https://slsa.dev/provenance/v1",
  predicate: {
    buildDefinition: {
      buildType: `pkg:npm/${name}@${version}#scripts/release.ts`,
      externalParameters: { version },
      internalParameters: { node: process.version, npm: run("npm", "--version"), platform: process.platform },
      resolvedDependencies: [
        { uri: `git+${addressOf()}`, digest: { gitCommit: commit } },
        { uri: "file:package-lock.json", digest: { sha256: digestOf("package-lock.json") } },
      ],
    },
    // Whoever ran this: it is no builder that others could trust more than that person.
    runDetails: {
      builder: { id: `pkg:npm/${name}@${version}#scripts/release.ts` },
      metadata: { invocationId: commit, startedOn: began, finishedOn: new Date().toISOString() },
    },
  },
};
const provenance = `${base}.provenance.json`;
write(provenance, key === undefined ? statement : envelope(statement, key));

const files = [tarball, `${base}.cdx.json`, provenance];
const sums = files.map((file) => `${digestOf(join(folder, file))}  ${file}\n`).join("");
writeFileSync(join(folder, "SHA256SUMS"), sums);
process.stdout.write(sums);
process.stdout.write(
  key === undefined
    ? `The provenance is not signed: it says what was done here, and proves nothing. Sign it with --key, or publish from a builder that signs.\n`
    : `The provenance is signed by the key ${keyId(key)}.\n`,
);

/** DSSE: what is signed is the type and the very bytes of the payload. */
function envelope(content: object, by: ReturnType<typeof createPrivateKey>) {
  const payloadType = "application/vnd.in-toto+json";
  const payload = Buffer.from(JSON.stringify(content));
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `),
    payload,
  ]);
  const signature = sign(null, signed, by).toString("base64");
  return { payloadType, payload: payload.toString("base64"), signatures: [{ keyid: keyId(by), sig: signature }] };
}

function keyId(by: ReturnType<typeof createPrivateKey>): string {
  return createHash("sha256")
    .update(createPublicKey(by).export({ type: "spki", format: "der" }))
    .digest("hex");
}

function readKey(path: string) {
  try {
    const read = createPrivateKey(readFileSync(path));
    if (read.asymmetricKeyType === "ed25519") return read;
    return fail(`${path} holds a key of the type ${read.asymmetricKeyType}: an Ed25519 key is needed`);
  } catch (error) {
    return fail(`${path} cannot be read as a private key: ${(error as Error).message}`);
  }
}

/** Where the commit is to be had; without a user or a token, which some have in it. */
function addressOf(): string {
  try {
    const remote = run("git", "remote", "get-url", "origin");
    const url = URL.canParse(remote) ? new URL(remote) : undefined;
    return url === undefined || url.protocol === "file:" ? "file:." : `${url.protocol}//${url.host}${url.pathname}`;
  } catch {
    // A checkout that came from nowhere.
    return "file:.";
  }
}

function write(file: string, content: object): void {
  writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`);
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 64e6 }).trim();
}

function fail(message: string): never {
  process.stderr.write(`release: ${message}\n`);
  process.exit(64);
}
