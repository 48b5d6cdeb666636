import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const KEPT = /^(PATH|HOME|npm_config_(registry|cache|userconfig|cafile)|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i;
const CHECKOUT = resolve(import.meta.dirname, "..", "..");
/** Room for what it installs, and none of this checkout around it. */
let place: string;
let tarball: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "forge-package-"));
  const packed = await run("npm", ["pack", "--silent", "--pack-destination", place], CHECKOUT);
  expect(packed).toMatchObject({ code: 0 });
  tarball = (await readdir(place))[0]!;
  await writeFile(join(place, "package.json"), JSON.stringify({ name: "clean", type: "module", private: true }));
  const installed = await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${tarball}`]);
  expect(installed).toMatchObject({ code: 0 });
});
afterAll(() => rm(place, { recursive: true, force: true }));

/** A person's shell: the machine's own programs, and of the variables only those that say where packages come from. */
function run(command: string, args: readonly string[], cwd = place) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name)));
  return new Promise<{ code: number; out: string; err: string }>((done) => {
    execFile(command, args, { cwd, env }, (error, out, err) => {
      done({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

const COMMAND_INJECTION = `import { exec } from "node:child_process";
import { createServer } from "node:http";
createServer({ keepAliveTimeout: 0 }, (request, response) => {
  const dir = new URL(request.url ?? "", "http://x").searchParams.get("dir");
  exec(\`ls \${dir}\`, (_, out) => response.end(out));
});
`;

describe("the packed package in a clean folder (OPS-6)", () => {
  it("runs by npx, and holds nothing that is not needed", async () => {
    const help = await run("npx", ["--no-install", "forge-lifecycle", "--help"]);
    expect(help.code).toBe(0);
    expect(help.out).toContain("Review a folder or a pull request");
    const held = await readdir(join(place, "node_modules", "forge-lifecycle"));
    expect(held.sort()).toEqual(
      [
        ".env.example",
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "app.yml",
        "bin",
        "dist",
        "docs",
        "drizzle",
        "forge.schema.json",
        "package.json",
        "scripts",
      ].sort(),
    );
    const files = await readdir(join(place, "node_modules", "forge-lifecycle", "dist"), { recursive: true });
    expect(files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))).toEqual([]);
  });

  it("is installed and run where it was unpacked, as in the image", async () => {
    const unpacked = join(place, "unpacked");
    await mkdir(unpacked);
    expect(await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", unpacked])).toMatchObject({ code: 0 });
    const args = ["--omit=dev", "--prefer-offline", "--no-audit", "--no-fund"];
    expect(await run("npm", ["install", ...args], unpacked)).toMatchObject({ code: 0 });
    const headers = await readdir(join(unpacked, "node_modules"), { recursive: true });
    expect(headers.filter((path) => /^node-[^/]*\/include$/.test(path))).toEqual([]);
    expect(await run("npm", ["ci", ...args], unpacked)).toMatchObject({ code: 0 });
    const help = await run("npx", ["forge-lifecycle", "--help"], unpacked);
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining("Review a folder or a pull request") });
  });

  it("reviews a folder, by the command and by the library, to the same findings", async () => {
    await mkdir(join(place, "shop"));
    await writeFile(join(place, "shop", "server.js"), COMMAND_INJECTION);
    const { code, out, err } = await run("npx", [
      "--no-install",
      "forge-lifecycle",
      "review",
      "shop",
      "--format",
      "json",
    ]);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.not.stringContaining("could not") });
    const ids = JSON.parse(out).findings.map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(1);
    const script = `import { reviewFolder } from "forge-lifecycle/review";
const { findings, verdict } = await reviewFolder("shop", { all: true });
console.log(JSON.stringify({ ids: findings.map(({ id }) => id), decision: verdict.decision }));
process.exit(0);`;
    await writeFile(join(place, "review.mjs"), script);
    const library = await run(process.execPath, ["review.mjs"]);
    expect(library).toMatchObject({ code: 0 });
    expect(JSON.parse(library.out)).toEqual({ ids, decision: "request_changes" });
  });

  it("has types of both entries that a program is checked by", async () => {
    const program = (
      sum: string,
    ) => `import { type AgentDefinition, createAgent, type Model } from "forge-lifecycle/agent";
import { type FolderReview, reviewFolder } from "forge-lifecycle/review";
export async function both(definition: AgentDefinition, model: Model): Promise<${sum}> {
  await createAgent(definition, { models: [model], task: "Count." }).run();
  const review: FolderReview = await reviewFolder("shop", { all: true });
  return review.findings.length;
}
`;
    const options = { module: "nodenext", target: "esnext", strict: true, skipLibCheck: true, noEmit: true, types: [] };
    await writeFile(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["both.ts"] }));
    const tsc = [join(CHECKOUT, "node_modules", "typescript", "bin", "tsc"), "-p", "."];
    await writeFile(join(place, "both.ts"), program("number"));
    expect(await run(process.execPath, tsc)).toEqual({ code: 0, out: "", err: "" });
    await writeFile(join(place, "both.ts"), program("string"));
    expect((await run(process.execPath, tsc)).out).toContain("Type 'number' is not assignable to type 'string'");
  });
});
