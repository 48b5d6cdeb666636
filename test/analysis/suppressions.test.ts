import { describe, expect, it } from "vitest";
import { suppression } from "../../src/analysis/analysers/suppression.ts";
import { blankHashSuppressions, blankSuppressions } from "../../src/analysis/suppressions.ts";
import { readerContext, sourceFile } from "./change-of.ts";

const run = async (text: string, path = "a.ts") =>
  (await suppression.analyse([sourceFile(path, text)], readerContext())).observations;

describe("suppression comments", () => {
  it.each([
    ["// @ts-ignore", "info"],
    ["// @ts-nocheck", "warning"],
    ["/* eslint-disable */", "warning"],
    ["/* eslint-disable -- generated below */", "warning"],
    ["/* eslint-disable @typescript-eslint/member-ordering */", "info"],
    ["/* eslint-disable semi, curly */", "info"],
    ["foo(); // eslint-disable-line no-undef", "info"],
    [" * biome-ignore-all lint: x", "warning"],
    ["# gitleaks:allow", "info"],
    ["<!-- prettier-ignore -->", "info"],
    ["x = 1  # noqa: F821", "info"],
    ["# ruff: noqa", "warning"],
    ["# shellcheck disable=SC2086", "info"],
    ["run(cmd)  # nosec B602", "info"],
    ["run(cmd) // #nosec G204", "info"],
    ["// @ts-expect-error", "info"],
    ["/* eslint no-eval: off */", "info"],
    ["/* stylelint-disable */", "warning"],
    ["// nosemgrep: some.rule", "info"],
    ["eval(x); // NOSONAR", "info"],
    ["import x  # type: ignore[import]", "info"],
    ["# pylint: skip-file", "warning"],
    ["key: a # pragma: allowlist secret", "info"],
    ["# zizmor: ignore[template-injection]", "info"],
  ])("REV-1: reports %s as %s", async (line, severity) => {
    expect(await run(`${line}\n`)).toMatchObject([{ rule: "suppression/added", severity, line: 1 }]);
  });

  it("only tells of them in tests, and not of errors that a test of types expects", async () => {
    const text = "/* eslint-disable */\n// @ts-expect-error\n";
    expect(await run(text, "test/a.test.ts")).toMatchObject([{ severity: "info", line: 1 }]);
  });

  it("does not mistake a mention for an order", async () => {
    expect(
      await run(
        'const text = "eslint-disable";\n// this explains what eslint-disable does\nconst fixture = "// @ts-ignore";\n',
      ),
    ).toEqual([]);
  });

  it("of languages with # comments are blanked behind a # only", () => {
    const text = "noqa = f()  # NoQA: F821\n# shellcheck disable=SC1\nnoqa = 1\n";
    expect(blankHashSuppressions(text, new Set([1, 2, 3]))).toBe(
      "noqa = f()  #     : F821\n#            disable=SC1\nnoqa = 1\n",
    );
  });

  it("are blanked on added lines only, with nothing moved", () => {
    const text = "// biome-ignore lint: a\n// biome-ignore lint: b\n";
    expect(blankSuppressions(text, new Set([2]))).toBe("// biome-ignore lint: a\n//              lint: b\n");
    expect(blankSuppressions(text, new Set())).toBe(text);
  });
});
