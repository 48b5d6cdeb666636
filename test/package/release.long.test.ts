import { execFileSync, spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const CHECKOUT = resolve(import.meta.dirname, "..", "..");
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const { version } = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8"));
let place: string;
let clone: string;

/** A clone with what is in this folder, committed, and with this checkout's packages. */
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "forge-release-"));
  clone = join(place, "clone");
  const git = (...args: string[]) => execFileSync("git", ["-C", clone, ...args], { encoding: "utf8" });
  execFileSync("git", ["clone", "--quiet", "--shared", CHECKOUT, clone]);
  execFileSync("cp", [join(CHECKOUT, "scripts", "release.ts"), join(clone, "scripts", "release.ts")]);
  symlinkSync(join(CHECKOUT, "node_modules"), join(clone, "node_modules"));
  git("add", "scripts");
  const identity = ["-c", "user.name=ana", "-c", "user.email=ana@example.com"];
  git(...identity, "commit", "--quiet", "--allow-empty", "--message", "As it is here");
  // A link is no folder to what git ignores.
  writeFileSync(join(clone, ".git", "info", "exclude"), "node_modules\n");
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

function release(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/release.ts", ...args], {
    cwd: clone,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("what a release is made of (OPS-6)", () => {
  it("is a package, its parts, where it came from, and sums that hold; signed with a key", () => {
    const key = join(place, "key.pem");
    writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    const out = join(place, "signed");
    const done = release(out, "--key", key);
    expect(done).toMatchObject({ status: 0, stderr: "" });
    const base = `forge-lifecycle-${version}`;
    expect(readdirSync(out)).toEqual(["SHA256SUMS", `${base}.cdx.json`, `${base}.provenance.json`, `${base}.tgz`]);
    const sums = execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: out, encoding: "utf8" });
    expect(sums.match(/: OK$/gm)).toHaveLength(3);

    const read = (file: string) => JSON.parse(readFileSync(join(out, file), "utf8"));
    const bill = read(`${base}.cdx.json`);
    expect(bill).toMatchObject({
      bomFormat: "CycloneDX",
      metadata: { component: { name: "forge-lifecycle", version } },
    });
    const parts = (bill.components as { name: string }[]).map(({ name }) => name);
    expect(parts).toContain("probot");
    expect(parts).not.toContain("vitest");

    const { payload, payloadType, signatures } = read(`${base}.provenance.json`);
    const bytes = Buffer.from(payload, "base64");
    const signed = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `), bytes]);
    const signature = Buffer.from(signatures[0].sig, "base64");
    expect(verify(null, signed, publicKey, signature)).toBe(true);
    const statement = JSON.parse(bytes.toString());
    expect(statement.predicateType).toBe("https://slsa.dev/provenance/v1");
    const digest = createHash("sha256")
      .update(readFileSync(join(out, `${base}.tgz`)))
      .digest("hex");
    expect(statement.subject[0]).toEqual({ name: `${base}.tgz`, digest: { sha256: digest } });
    const commit = execFileSync("git", ["-C", clone, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    expect(statement.predicate.buildDefinition.resolvedDependencies[0].digest).toEqual({ gitCommit: commit });
    expect(done.stdout).toContain("The provenance is signed by the key ");
  });

  it("refuses a folder that has something in it, a key of another kind, and what is not committed", () => {
    expect(release(clone)).toMatchObject({ status: 64, stderr: expect.stringContaining("is not empty") });
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    writeFileSync(join(place, "rsa.pem"), rsa.export({ type: "pkcs8", format: "pem" }));
    expect(release(join(place, "rsa"), "--key", join(place, "rsa.pem")).stderr).toContain("an Ed25519 key is needed");
    writeFileSync(join(clone, "stray.ts"), "");
    expect(release(join(place, "stray"))).toMatchObject({
      status: 64,
      stderr: expect.stringMatching(/not everything is committed[\s\S]*stray\.ts/),
    });
    expect(readdirSync(place).sort()).toEqual(["clone", "key.pem", "rsa.pem", "signed"]);
  });
});
