import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newErrors, type TypeFault, withoutPlaces } from "../../src/analysis/new-type-errors.ts";
import { compilerCommand } from "../../src/analysis/project-types.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";
import {
  BASE,
  CHANGED,
  check,
  installed,
  OLD,
  PRICE,
  packagesWithTypeScript,
  SETTINGS,
  said,
} from "./type-projects.ts";

describe("REV-1: the project's own type check", () => {
  it("says nothing of a project without TypeScript, and why it did not run in one that has it, which is no gap", async () => {
    const { "tsconfig.json": _settings, ...without } = BASE;
    expect((await check(CHANGED, {}, { base: without })).coverage.notes).toEqual([]);
    const none = await check(CHANGED, {});
    expect(none.coverage.notes).toEqual([
      "The project's own type check did not run, only what is certain without it was looked for: packages are not installed here.",
    ]);
    expect(none.coverage.layers[0]).toMatchObject({ tools: [] });
    expect(none.coverage.layers[0]).not.toHaveProperty("reason");
    const refused = async () => ({ installed: false, needed: true, reason: "no answer" }) as const;
    expect((await check(CHANGED, { packages: refused })).coverage.notes[0]).toContain(
      "its packages could not be installed.",
    );
    const boxless = await check(CHANGED, { packages: installed(temporaryFolder()) });
    expect(boxless.coverage.notes[0]).toContain("there is no sandbox: Not here.");
  });

  it("leaves it to whoever has it run as an analyser, and runs nothing where nothing is to run by itself", async () => {
    expect((await check(CHANGED, {}, { review: { tests: "never" } })).coverage.notes).toEqual([]);
    const analysers = [{ name: "mine", command: ["tsc"], format: "tsc", paths: ["none"] }];
    expect((await check(CHANGED, {}, { tools: { analysers } })).coverage.notes).toEqual([]);
  });

  it("takes for new what base has neither so, nor in other words on that line, nor on another line", () => {
    const fault = (line: number, text: string, message = "m", file = "a.ts"): TypeFault => ({
      file,
      line,
      column: 1,
      code: "TS1",
      message,
      text,
    });
    const base = [fault(1, "x"), fault(2, "y", "other words"), fault(3, "z"), fault(9, "w", "m", "before.ts")];
    const head = [
      fault(4, "x"),
      fault(5, "y"),
      fault(6, "zz"),
      fault(7, "x"),
      fault(7, "x"),
      fault(8, "w", "m", "after.ts"),
    ];
    const renamed = new Map([["before.ts", "after.ts"]]);
    expect(newErrors(head, base, renamed)).toEqual([fault(7, "x")]);
    expect(newErrors(head, [], renamed)).toHaveLength(5);
  });

  it("names no place of the machine", () => {
    expect(
      withoutPlaces(
        `Type 'import("/var/cache/x/node_modules/@a/b/index").C' is not './own/type' of "/box/src/a.ts" or /home/me/key, C:\\x\\y.ts; a / b, 1/2/3.`,
      ),
    ).toBe(`Type 'import("@a/b/index").C' is not './own/type' of "src/a.ts" or key, y.ts; a / b, 1/2/3.`);
  });
});

describe("the command of the compiler", () => {
  it("reads settings with their comments", () => {
    const names = '"references": [{ "path": "../a" }]';
    const isBuilt = (text: string) => compilerCommand("tsconfig.json", text).includes("-b");
    for (const text of [`{ ${names} }`, `{ /* a */ ${names}, // b\n }`, `{ "paths": { "@/*": [] }, ${names} }`])
      expect(isBuilt(text), text).toBe(true);
    for (const text of [`{ /* ${names} */ }`, `{ // ${names}\n }`, `/* a */ // ${names}`])
      expect(isBuilt(text), text).toBe(false);
  });
});

describeInSandbox("REV-1: the project's own tsc", (sandbox) => {
  const inside = { sandbox: async () => sandbox, packages: packagesWithTypeScript() };

  it("finds what the change breaks, in its lines and in other files, and nothing that base had", async () => {
    const head = { ...CHANGED, "src/old.ts": `${OLD}export const fresh: number = "1";\n` };
    const result = await check(head, inside);
    expect(said(result)).toEqual([
      ["src/old.ts", 2, "typecheck/TS2322", "error", "Type 'string' is not assignable to type 'number'."],
      [
        "src/shop.ts",
        2,
        "typecheck/TS2345",
        "error",
        expect.stringContaining("'number' is not assignable to parameter of type 'bigint'"),
      ],
    ]);
    expect(result.coverage.layers[0]?.tools).toEqual([{ name: "typecheck", version: "1", files: 2 }]);
    expect(result.coverage.notes).toEqual([]);
  });

  it("SEC-1: never waits at what its tsc leaves in place of settings and files", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    const own = `#!/bin/sh
mkfifo pipe && mv pipe b/tsconfig.json && mkfifo pipe && mv pipe a/one.ts && ln -sf /dev/zero c/tsconfig.json
printf "a/one.ts(1,7): error TS2322: Wrong.\\n"
`;
    writeFileSync(join(folder, "node_modules/.bin/tsc"), own, { mode: 0o755 });
    const files = Object.fromEntries(
      ["a", "b", "c"].flatMap((name) => [
        [`${name}/tsconfig.json`, SETTINGS],
        [`${name}/one.ts`, "export const one = 1;\n"],
      ]),
    );
    const result = await check(files, { ...inside, packages: installed(folder) }, { base: { "package.json": "{}\n" } });
    expect(result.coverage.notes).toEqual(["Types were checked by 1 of 3 `tsconfig.json`."]);
  });

  it("answers for changed files alone where base has no settings to compare with", async () => {
    const { "tsconfig.json": settings = "", ...base } = BASE;
    const head = { "tsconfig.json": settings, "src/price.ts": PRICE.replace("String(cents)", "cents") };
    expect(said(await check(head, inside, { base })).map(([file]) => file)).toEqual(["src/price.ts"]);
  });

  it("says why it did not get to its end", async () => {
    const empty = { ...inside, packages: installed(temporaryFolder()) };
    expect((await check(CHANGED, empty)).coverage.notes[0]).toContain("TypeScript is not among its packages.");
    const printed = await check(CHANGED, inside, { tools: { typecheck: ["sh", "-c", "echo nonsense; exit 3"] } });
    expect(printed.coverage.notes[0]).toContain("its output is not that of tsc.");
    expect(printed.observations).toEqual([]);
  });
});
