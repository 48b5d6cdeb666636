import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkScripts, shellcheck } from "../../src/analysis/analysers/shellcheck.ts";
import { SHELL_RULES } from "../../src/analysis/shellcheck-rules.ts";
import type { SourceFile } from "../../src/analysis/source-file.ts";
import { itWithShellcheck } from "../needs/programs.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { analyse, readerContext, scratchFolder, sourceFile } from "./change-of.ts";

/** A program that answers as shellcheck does and keeps what it was given. */
function standIn(script: string): string {
  const program = join(scratchFolder(), "shellcheck");
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}
const run = (script: string, ...files: SourceFile[]) => checkScripts(files, readerContext(), standIn(script));
const comment = (file: string, code: number) =>
  `{"file":"${file}","line":2,"endLine":2,"column":3,"endColumn":5,"level":"error","code":${code},"message":"x","fix":null}`;

describeInSandbox("SEC-1: shellcheck in the sandbox", () => {
  it("reads its scripts, and no other file of the machine", async () => {
    const canary = join(scratchFolder(), "canary");
    writeFileSync(canary, "canary");
    const script = `cat f0.sh >/dev/null || exit 3; cat ${canary} 2>/dev/null && exit 2; echo '{"comments":[]}'`;
    expect(await run(script, sourceFile("a.sh", "x\n"))).toMatchObject({ filesRead: 1, problems: [] });
  });

  it("GH-11a: says so where it cannot be started there", async () => {
    const program = standIn("");
    writeFileSync(program, "#!/no/such/shell\n");
    const work = checkScripts([sourceFile("a.sh", "x\n")], readerContext(), program);
    await expect(work).rejects.toThrow("shellcheck cannot be started in the sandbox");
  });
});

describe("shellcheck with Forge's rules", () => {
  it("REV-1: reports the rules of the table in own words, and no others", async () => {
    const script = `echo '{"comments":[${comment("f0.sh", 2115)},${comment("f0.sh", 2086)},${comment("f1.sh", 2283)}]}'; exit 1`;
    const { observations, filesRead, problems } = await run(
      script,
      sourceFile("-a.sh", "#!/bin/sh\nx\n"),
      sourceFile("b.bash", "y\n"),
    );
    expect(observations).toMatchObject([
      { file: "-a.sh", rule: "shellcheck/SC2115-may-remove-root", line: 2, column: 3, endColumn: 5, severity: "error" },
      { file: "b.bash", rule: "shellcheck/SC2283-spaces-around-assignment" },
    ]);
    expect({ filesRead, problems }).toEqual({ filesRead: 2, problems: [] });
  });

  it("SEC-1: reads no configuration, no path of the repository and no directive that the change adds", async () => {
    const script = `[ "$1" = --norc ] || exit 3; ls -A | tr '\\n' ' ' >&2; grep -q disable=SC f0.sh && ! grep -q 'shellcheck disable=SC2' f0.sh && echo '{"comments":[]}'`;
    const accepted = "# shellcheck disable=SC1\n";
    const files = [
      sourceFile("../etc/a.sh", `${accepted}# shellcheck disable=SC2\n`, accepted),
      sourceFile(".shellcheckrc.sh", "x\n"),
    ];
    expect((await run(script, ...files)).problems).toEqual([]);
  });

  it("GH-11a: gives up only the file that it breaks down on, and names it", async () => {
    const { problems, filesRead } = await run(
      `grep -l deep f*.sh >/dev/null && exit 2; echo '{"comments":[]}'`,
      sourceFile("a.sh", "x\n"),
      sourceFile("b.sh", "deep\n"),
      sourceFile("c.sh", "x\n"),
    );
    expect(problems).toEqual([{ file: "b.sh", reason: "not linted: shellcheck broke down on it", gap: true }]);
    expect(filesRead).toBe(2);
  });

  it("where it is not installed, a note says so and nothing is a gap", async () => {
    const result = await checkScripts([sourceFile("a.sh", "x\n")], readerContext(), "no-such-shellcheck");
    expect(result).toEqual({
      observations: [],
      filesRead: 0,
      problems: [],
      notes: ["Shell scripts were searched for secrets only: shellcheck is not installed on this machine."],
    });
    const missing = { ...shellcheck, analyse: async () => result };
    const { coverage } = await analyse({ "a.sh": "x\n", "b.sh": "y\n" }, { analysers: [missing] });
    expect(coverage.notes).toEqual(result.notes);
    expect(coverage.layers[0]).toMatchObject({ state: "ran" });
  });

  itWithShellcheck("REV-1: finds with the real program", async () => {
    const text = '#!/bin/bash\nrm -rf "$1/"*\na = 1\n[ "$a"=1 ]\necho $a\n';
    const { observations } = await checkScripts([sourceFile("a.sh", text)], readerContext(), "shellcheck");
    expect(observations.map(({ rule, line }) => `${line} ${rule.split("/")[1]}`)).toEqual([
      "2 SC2115-may-remove-root",
      "3 SC2283-spaces-around-assignment",
      "4 SC2077-missing-spaces",
    ]);
  });

  it("has forty rules", () => {
    expect(SHELL_RULES.size).toBeGreaterThan(35);
  });
});
