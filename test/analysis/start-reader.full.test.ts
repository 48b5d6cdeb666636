import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBiome } from "../../src/analysis/biome-program.ts";
import type { ChildFile, ChildTask } from "../../src/analysis/child/protocol.ts";
import { openRound } from "../../src/analysis/reader/reading-round.ts";
import { runInChild } from "../../src/analysis/reader/run-in-child.ts";
import { type ReaderSpec, readingChild } from "../../src/analysis/reader/run-reader.ts";
import { choosePlace, openReaderPlace, type ReaderPlace, startReader } from "../../src/analysis/reader/start-reader.ts";
import type { SandboxSpec } from "../../src/workspace/sandbox/sandbox.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { readerContext, scratchFolder } from "./change-of.ts";

const BESIDE = Promise.resolve({ beside: "asked for" });

/** What takes over a parser would try this: to read, to call home, to look at its environment, to write. */
const HOSTILE = `
import { connect } from "node:net";
import { readFileSync, writeFileSync } from "node:fs";
const { canary, port, own } = JSON.parse(readFileSync(0, "utf8"));
const tried = (what) => { try { return what(); } catch (error) { return error.code; } };
const reached = await new Promise((resolve) => connect(port, "127.0.0.1").once("connect", () => resolve("reached")).once("error", ({ code }) => resolve(code)));
const answer = {
  canary: tried(() => readFileSync(canary, "utf8")),
  environment: Object.keys(process.env).filter((name) => name.startsWith("FORGE_")),
  reached,
  given: tried(() => readFileSync("given", "utf8")),
  overGiven: tried(() => writeFileSync("given", "changed")),
  overCode: tried(() => writeFileSync(own, "")),
};
console.log(JSON.stringify(answer));
process.exit(0);
`;

function spec(given: Partial<ReaderSpec>): ReaderSpec {
  return {
    ...{ program: process.execPath, args: [], shown: [] },
    ...{ timeoutMs: 20_000, memoryBytes: 1024 * 2 ** 20, maxOutputBytes: 1_000_000 },
    signal: new AbortController().signal,
    ...given,
  };
}

function script(text: string): Pick<ReaderSpec, "args" | "shown"> {
  const file = join(scratchFolder(), "reader.mjs");
  writeFileSync(file, text);
  return { args: [file], shown: [file] };
}

describeInSandbox("SEC-1: a reader of hostile text", () => {
  let server: Server;
  let canary: string;
  beforeAll(async () => {
    canary = join(scratchFolder(), "canary");
    writeFileSync(canary, "canary", { mode: 0o644 });
    process.env.FORGE_TEST_CANARY = "canary";
    server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    delete process.env.FORGE_TEST_CANARY;
    server.close();
  });

  async function attack(given: Partial<ReaderSpec>, place?: Promise<ReaderPlace>) {
    const folder = join(scratchFolder(), "files");
    mkdirSync(folder);
    writeFileSync(join(folder, "given"), "given");
    const { args, shown } = script(HOSTILE);
    const input = JSON.stringify({ canary, port: (server.address() as AddressInfo).port, own: args[0] });
    const run = await startReader(spec({ args, shown, folder, input, ...given }), place);
    expect(run.stderr.toString()).toBe("");
    return { ...JSON.parse(run.stdout.toString()), left: readFileSync(join(folder, "given"), "utf8") };
  }

  it("reaches no file, no port and no variable of Forge, and changes nothing", async () => {
    expect(await attack({})).toMatchObject({
      ...{ canary: "ENOENT", environment: [], reached: "ECONNREFUSED" },
      ...{ given: "given", overGiven: "EROFS", overCode: "EROFS", left: "given" },
    });
  });

  it("changes the one folder that it is to change", async () => {
    expect(await attack({ writes: true })).toMatchObject({ canary: "ENOENT", overCode: "EROFS", left: "changed" });
  });

  it("would reach files and ports as a child process beside it, but no variable", async () => {
    expect(await attack({}, BESIDE)).toMatchObject({ canary: "canary", environment: [], reached: "reached" });
  });

  it("is what the reading child is: it finds no report outside of the folder it is given", async () => {
    const context = readerContext();
    const outside = join(scratchFolder(), "printed");
    writeFileSync(outside, "src/a.ts(1,7): error TS2322: No.\n");
    const report = { file: outside, format: "tsc", root: "/box", paths: ["src/a.ts"] } as const;
    const { results, unread } = await runInChild("report", [{ id: 0, text: "", report }], context);
    expect({ results: [...results], unread }).toEqual({
      results: [],
      unread: [{ id: 0, reason: "the parser broke down on it" }],
    });
  });

  it("is what Biome is: it finds no file outside of its folder", async () => {
    const context = readerContext();
    const outside = join(scratchFolder(), "outside.js");
    writeFileSync(outside, "debugger;\n");
    const inside = { name: "inside.js", text: "debugger;\n" };
    const run = await runBiome(["lint", "--reporter=json", outside], { linter: {} }, "lint", [inside], context);
    const { diagnostics } = JSON.parse(run.stdout.toString()) as { diagnostics: { category: string }[] };
    expect(diagnostics.map(({ category }) => category)).toEqual(["internalError/io", "lint/suspicious/noDebugger"]);
  });

  it("says the same of the same text, in it and beside it", async () => {
    const folder = join(scratchFolder(), "report");
    mkdirSync(folder);
    const line = `src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n`;
    writeFileSync(join(folder, "printed"), line);
    const report = { file: "printed", format: "tsc", root: "/box", paths: ["src/a.ts"] } as const;
    const asked: [ChildTask, ChildFile][] = [
      ["syntax", { id: 0, text: "const a = ;\n", dialect: "ts" }],
      ["secrets", { id: 1, text: `password = "${"h7Kq".repeat(6)}9x"\n`, textKind: "data" }],
      ["types", { id: 2, text: 'export const a: number = "b";\n', path: "a.ts", dialect: "ts" }],
      ["report", { id: 3, text: "", report }],
    ];
    const input = JSON.stringify({ parts: asked.map(([task, file]) => ({ task, files: [file] })) });
    const given = spec({ ...readingChild(), folder, input });
    const inside = (await startReader(given)).stdout.toString();
    for (const [task, { id }] of asked)
      expect([task, inside]).toEqual([task, expect.stringMatching(new RegExp(`^\\{"id":${id},"result":.+\\}$`, "m"))]);
    expect(inside).toBe((await startReader(given, BESIDE)).stdout.toString());
  });
});

describe("a round of readings", () => {
  const { signal } = new AbortController();
  const secret = { id: 4, text: `password = "${"h7Kq".repeat(6)}9x"\n`, textKind: "data" } as const;
  const found = [expect.objectContaining({ offset: 12 })];
  const nest = { id: 0, text: `${"[".repeat(200_000)}${"]".repeat(200_000)}`, dialect: "js" } as const;

  it("SEC-1: begins when all who are there have asked, and what kills the child takes nothing from those before it", async () => {
    const round = openRound(4, signal);
    const syntax = round.read({ task: "syntax", files: [nest] });
    const eslint = round.read({ task: "eslint", files: [{ id: 0, text: "a();", dialect: "js" }] });
    const secrets = round.read({ task: "secrets", files: [secret] });
    round.leave();
    expect([...(await secrets)]).toEqual([[4, found]]);
    expect([(await syntax).size, (await eslint).size]).toEqual([0, 0]);
  });

  it("SEC-1: gives what could not be read together a child of its own, which says why", async () => {
    const context = { scratch: scratchFolder(), signal, round: openRound(3, signal) };
    const lines = [{ id: 2, text: "let a = 1;\n", dialect: "js" } as const, { ...nest, id: 7 }];
    const [secrets, syntax, lone] = await Promise.all([
      runInChild("secrets", [secret], context),
      runInChild("syntax", lines, context),
      runInChild("complexity", [{ id: 1, text: "if (a) b();", dialect: "js" }], context).finally(context.round.leave),
    ]);
    expect([...secrets.results]).toEqual([[4, found]]);
    expect([...syntax.results.keys()]).toEqual([2]);
    expect(syntax.unread).toEqual([{ id: 7, reason: "the parser broke down on it" }]);
    expect([...lone.results.keys()]).toEqual([1]);
  });
});

describe.each([
  ["where readers run on this machine", openReaderPlace()],
  ["as limited child processes", BESIDE],
])("%s", (_, place) => {
  const start = (text: string, given: Partial<ReaderSpec>) => startReader(spec({ ...script(text), ...given }), place);

  it("SEC-1: ends a reader that says nothing for too long, though its time is not over", async () => {
    const run = await start(`console.log("ready"); setInterval(() => {}, 1000);`, {
      ...{ silenceMs: 400, timeoutMs: 3_600_000 },
    });
    expect(run).toMatchObject({ ok: false, timedOut: true, aborted: false });
  });

  it("SEC-1: ends one that takes too long, though it goes on talking", async () => {
    const run = await start(`setInterval(() => console.log("."), 20);`, { silenceMs: 10_000, timeoutMs: 400 });
    expect(run).toMatchObject({ ok: false, timedOut: true });
  });

  it("SEC-1: ends one that prints too much, and keeps the beginning", async () => {
    const run = await start(`setInterval(() => console.log("x".repeat(1000)), 1);`, { maxOutputBytes: 5000 });
    expect(run).toMatchObject({ ok: false, truncated: true, timedOut: false });
    expect(run.stdout).toHaveLength(5000);
  });

  it("SEC-1: ends one that takes too much memory", async () => {
    const grow = `console.log("ready"); const kept = []; setInterval(() => kept.push(Buffer.alloc(32 * 2 ** 20, 1)), 5);`;
    const run = await start(grow, { memoryBytes: 640 * 2 ** 20 });
    expect(run).toMatchObject({ ok: false, timedOut: false, aborted: false });
    expect(run.stdout.toString()).toBe("ready\n");
  });

  it("PIPE-3: ends with the review that asked for it", async () => {
    const review = new AbortController();
    const folder = join(scratchFolder(), "files");
    mkdirSync(folder);
    const text = `import { writeFileSync } from "node:fs"; writeFileSync("started", ""); setInterval(() => {}, 1000);`;
    const changes = watch(folder);
    const running = start(text, { signal: review.signal, folder, writes: true });
    for await (const { filename } of changes) if (filename === "started") break;
    review.abort();
    expect(await running).toMatchObject({ ok: false, aborted: true });
  });
});

describe("where Forge's own analysers run", () => {
  it("SEC-1: beside the sandbox where there is none, with its reason", async () => {
    expect(await choosePlace({ unavailable: "There is none." })).toEqual({ beside: "There is none." });
  });

  describeInSandbox("SEC-1: with a sandbox", (sandbox) => {
    it("in it", async () => {
      expect(await choosePlace(sandbox)).toEqual({ sandbox });
      expect(await openReaderPlace()).toHaveProperty("sandbox");
    });

    it("beside it where Forge's own files, or those it makes, cannot be read in it", async () => {
      const changed = (change: (given: SandboxSpec) => Partial<SandboxSpec>) => ({
        ...sandbox,
        run: (given: SandboxSpec) => sandbox.run({ ...given, ...change(given) }),
      });
      const withoutCode = changed(({ readOnly = [] }) => ({
        readOnly: readOnly.filter((path) => !path.endsWith("/src")),
      }));
      const withoutFolder = changed(() => ({ workingDirectory: "/no/such/folder" }));
      for (const machine of [withoutCode, withoutFolder]) {
        expect(await choosePlace(machine)).toEqual({ beside: expect.stringMatching(/^Files of Forge cannot be read/) });
      }
    });
  });
});
