import { describe, expect, it } from "vitest";
import { ruff, ruffSecurity } from "../../src/analysis/analysers/ruff.ts";
import { RUFF_RULES } from "../../src/analysis/ruff-rules.ts";
import { RUFF_SECURITY_RULES } from "../../src/analysis/ruff-security-rules.ts";
import type { SourceFile } from "../../src/analysis/source-file.ts";
import { readerContext, sourceFile } from "./change-of.ts";
import { PYTHON_SAMPLES, PYTHON_SECURITY_SAMPLES } from "./ruff-samples.ts";

const run = (...files: SourceFile[]) => ruff.analyse(files, readerContext());

describe("ruff with Forge's rules", () => {
  it.each([
    { analyser: ruff, rules: RUFF_RULES, samples: PYTHON_SAMPLES },
    { analyser: ruffSecurity, rules: RUFF_SECURITY_RULES, samples: PYTHON_SECURITY_SAMPLES },
  ])("REV-1: every rule of the table of $analyser.name finds its sample", async ({ analyser, rules, samples }) => {
    const codes = [...rules.keys()];
    expect(Object.keys(samples).sort()).toEqual([...codes].sort());
    const { observations } = await analyser.analyse(
      codes.map((code) => sourceFile(`${code}.py`, `${samples[code]}\n`)),
      readerContext(),
    );
    const found = new Set(observations.map(({ file, rule }) => `${file} ${rule.split("/")[1]?.split("-")[0]}`));
    expect(codes.filter((code) => !found.has(`${code}.py ${code}`))).toEqual([]);
  });

  it.each([
    ["c.execute(f\"SELECT a FROM t WHERE id IN ({', '.join('?' for _ in ids)})\", ids)", 0],
    ["c.execute(f\"SELECT a FROM t WHERE id IN ({','.join(['%s'] * len(ids))})\", ids)", 0],
    ["c.execute(f'SELECT a FROM {TABLE} ORDER BY {COLUMNS[name]}')", 0],
    ["c.execute(f'SELECT a FROM {TABLE} WHERE b = {b}')", 1],
    ["c.execute(f'SELECT a FROM {table}')", 1],
    ["c.execute('SELECT a FROM t WHERE b = ' + ','.join(names))", 1],
  ])("REV-6: a query of placeholders and constants is no query from pieces: %s", async (line, count) => {
    const { observations } = await ruffSecurity.analyse([sourceFile("a.py", `${line}\n`)], readerContext());
    expect(observations).toHaveLength(count);
  });

  it("SEC-1: obeys no suppression that the change adds, and those that were there before", async () => {
    const accepted = "print(missing)  # noqa: F821\n";
    const added = "print(other)  # noqa\nprint('# noqa', third)  #NOQA: F821\n";
    const { observations } = await run(
      sourceFile("a.py", accepted + added, accepted),
      sourceFile("b.py", `# ruff: noqa\n# flake8: noqa\n${added}`),
      sourceFile("ruff.toml", 'exclude = ["*"]\n'),
      sourceFile("-c.py", added),
    );
    expect(observations.map(({ file, line }) => `${file}:${line}`).sort()).toEqual([
      "-c.py:1",
      "-c.py:2",
      "a.py:2",
      "a.py:3",
      "b.py:3",
      "b.py:4",
    ]);
  });

  it("REV-4: offers a fix as whole added lines that parse", async () => {
    const { observations } = await run(sourceFile("a.py", "def f(é, a):\r\n    return é and a is 'x'\r\n"));
    expect(observations).toMatchObject([
      {
        rule: "ruff/F632-is-with-literal",
        line: 2,
        column: 18,
        fix: { startLine: 2, endLine: 2, before: "    return é and a is 'x'", after: "    return é and a == 'x'" },
      },
    ]);
  });

  it("REV-1: reports Python that no longer parses once, and only when the change brought it", async () => {
    const broken = "import os\n\ndef f(:\n    eval(x)\n";
    const { observations, problems } = await run(
      sourceFile("a.py", broken),
      sourceFile("b.py", `${broken}\n\n`, broken),
      sourceFile("template.py", "{% if x %}\nimport os\n{% endif %}\n"),
      sourceFile("{{cookiecutter.name}}/c.py", "x y\n"),
    );
    expect(observations).toMatchObject([{ file: "a.py", rule: "ruff/syntax", line: 3, severity: "error" }]);
    expect(problems.map(({ file, gap }) => `${file} ${gap}`)).toContain("a.py false");
  });

  it("does not take names that a module makes while it runs for missing ones", async () => {
    const { observations } = await run(
      sourceFile("a.py", "globals().update({'a': 1})\nprint(a)\n"),
      sourceFile("pkg/__init__.py", '__all__ = ["submodule"]\n'),
      sourceFile("b.py", "from typed import Literal\nx: Literal['one', 'two'] = 'one'\n"),
    );
    expect(observations).toEqual([]);
  });

  it("GH-11a: gives up only the file that breaks it down, and names it", async () => {
    const deep = `a = ${"(".repeat(100_000)}1${")".repeat(100_000)}\n`;
    const { observations, problems } = await run(
      sourceFile("a.py", "print(missing)\n"),
      sourceFile("deep.py", deep),
      sourceFile("b.py", "print(missing)\n"),
    );
    expect(observations.map(({ file, rule }) => `${file} ${rule}`).filter((seen) => seen.includes("F821"))).toEqual([
      "a.py ruff/F821-undefined-name",
      "b.py ruff/F821-undefined-name",
    ]);
    expect(problems.map(({ file }) => file)).toEqual(["deep.py"]);
  });
});
