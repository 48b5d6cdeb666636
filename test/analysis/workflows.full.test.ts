import { describe, expect, it } from "vitest";
import { actionlint, workflows } from "../../src/analysis/analysers/workflows.ts";
import type { Observation } from "../../src/domain/findings.ts";
import { readerContext, sourceFile } from "./change-of.ts";

const PATH = ".github/workflows/ci.yml";

/** The dangers of each of these workflows. */
const dangersOf = async (texts: readonly string[]) => {
  const paths = texts.map((_, at) => `.github/workflows/${at}.yml`);
  const { observations } = await workflows.analyse(
    texts.map((text, at) => sourceFile(paths[at]!, text)),
    readerContext(),
  );
  return paths.map((path) => observations.filter(({ file }) => file === path).map(shown));
};
const shown = ({ rule, line, severity }: Observation) => `${line} ${rule.slice("workflows/".length)} ${severity}`;
const dangers = async (text: string, path = PATH) => {
  const { observations } = await workflows.analyse([sourceFile(path, text)], readerContext());
  return observations.map(shown);
};
const faults = async (text: string) => {
  const { observations } = await actionlint.analyse([sourceFile(PATH, text)], readerContext());
  return observations.map(({ rule, line, message }) => `${line} ${rule} ${message}`);
};
const expression = (value: string) => `\${{ ${value} }}`;
const workflow = (on: string, steps: readonly string[], more = "") =>
  [
    `on: ${on}`,
    ...(more === "" ? [] : [more]),
    "jobs:",
    "  a:",
    "    runs-on: ubuntu-24.04",
    "    steps:",
    ...steps.map((step) => `      ${step}`),
    "",
  ].join("\n");

describe("the own rules for workflows", () => {
  it("REV-1: a checkout of the head in a privileged workflow is critical, also by a script; one of the base is none", async () => {
    const steps = [
      "- uses: actions/checkout@v4",
      "  with:",
      `    ref: ${expression("github.event.pull_request.head.sha")}`,
    ];
    const fetched = ["- run: |", "    echo one", `    git fetch origin pull/${expression("github.event.number")}/head`];
    const [target, run, comment, open, script, base] = await dangersOf([
      ...["pull_request_target", "workflow_run", "issue_comment", "pull_request"].map((event) =>
        workflow(event, steps),
      ),
      workflow("[pull_request_target]", fetched),
      workflow("pull_request_target", ["- uses: ./local"]),
    ]);
    for (const found of [target, run, comment, script]) expect(found).toContain("8 privileged-head-checkout critical");
    expect(open?.join()).not.toContain("privileged");
    expect(base).toEqual([]);
  });

  it("REV-1: what others write is an injection in a script, at its own line", async () => {
    const values = [
      "github.event.pull_request.title",
      "github.event.issue.body",
      "github.event.comment.body",
      "github.head_ref",
      "github.event.pull_request.head.ref",
      "github.event.commits[0].message",
      "github.event.head_commit.author.name",
      "format('{0}', github.event.review.body)",
      "toJSON(github.event.issue.title)",
    ];
    const scripts = values.map((value) => ["- run: |", "    echo one", `    echo "${expression(value)}"`]);
    const found = await dangersOf(scripts.map((steps) => workflow("pull_request", steps)));
    expect(values.map((value, at) => [value, found[at]])).toEqual(
      values.map((value) => [value, ["8 script-injection error"]]),
    );
  });

  it("REV-1: the same holds for github-script, and not for the environment", async () => {
    const script = [
      "- uses: actions/github-script@0123456789abcdef0123456789abcdef01234567",
      "  with:",
      `    script: say("${expression("github.event.issue.title")}")`,
    ];
    const environment = ['- run: echo "$TITLE"', "  env:", `    TITLE: ${expression("github.event.issue.title")}`];
    const harmless = [`- run: echo ${expression("github.event.issue.number")} ${expression("github.sha")}`];
    expect(await dangersOf([script, environment, harmless].map((steps) => workflow("issues", steps)))).toEqual([
      ["8 script-injection error"],
      [],
      [],
    ]);
  });

  it("REV-1: weighs actions that are not pinned by who can move them", async () => {
    const steps = [
      "- uses: actions/checkout@v4",
      "- uses: someone/tool@v2",
      "- uses: someone/tool@main",
      "- uses: someone/tool@0123456789abcdef0123456789abcdef01234567 # v2",
      "- uses: ./.github/actions/own",
    ];
    expect(await dangers(workflow("push", steps))).toEqual([
      "6 unpinned-action info",
      "7 unpinned-action info",
      "8 unpinned-action warning",
    ]);
  });

  it("REV-1: reports wide permissions, piped downloads, own machines and inherited secrets", async () => {
    const text = [
      "on: pull_request",
      "permissions: write-all",
      "jobs:",
      "  a:",
      "    runs-on: [self-hosted, linux]",
      "    steps:",
      "      - run: curl -sSL https://example.org/install | sudo bash -s -- -y",
      "  b:",
      "    uses: other/repo/.github/workflows/x.yml@0123456789abcdef0123456789abcdef01234567",
      "    secrets: inherit",
      "",
    ].join("\n");
    expect((await dangers(text)).sort()).toEqual([
      "10 inherited-secrets warning",
      "2 write-all warning",
      "5 self-hosted-runner warning",
      "7 download-and-run warning",
    ]);
  });

  it("REV-1: reads actions made of steps", async () => {
    const text = [
      "name: x",
      "runs:",
      "  using: composite",
      "  steps:",
      "    - shell: bash",
      `      run: echo ${expression("github.head_ref")} ${expression("inputs.name")}`,
      "",
    ].join("\n");
    expect(await dangers(text, "tools/build/action.yml")).toEqual(["6 script-injection error"]);
  });

  it("REV-1: reads the unchanged workflow or action that a changed one calls, or that calls it", async () => {
    const action = `runs: { using: composite, steps: [{ shell: bash, run: "echo ${expression("inputs.title")}" }] }\n`;
    const caller = workflow("issues", [
      "- uses: ./say",
      `  with: { title: "${expression("github.event.issue.title")}" }`,
    ]);
    const texts = { "say/action.yml": action, [PATH]: caller, "README.md": "" };
    const both = async (changed: keyof typeof texts) => {
      const tree = {
        paths: Object.keys(texts),
        readMany: async (paths: readonly string[]) =>
          new Map(paths.map((path) => [path, Buffer.from(texts[path as keyof typeof texts] ?? "")])),
      };
      const files = [sourceFile(changed, texts[changed])];
      const context = { ...readerContext(), tree };
      const { observations } = await workflows.analyse(files, context);
      return { found: observations.map(shown), rests: await workflows.restsOn?.(files, context) };
    };
    const ofCaller = await both(PATH);
    const ofAction = await both("say/action.yml");
    expect(ofCaller.found).toEqual(["7 script-injection error"]);
    expect(ofAction.found).toEqual(["1 script-injection error"]);
    expect([...(ofAction.rests ?? [])]).toEqual([["say/action.yml", expect.stringMatching(/^[\w-]{43}$/)]]);
    const alone = await workflows.restsOn?.([sourceFile(PATH, workflow("push", ["- run: x"]))], readerContext());
    expect(alone?.size).toBe(0);
  });

  it("survives aliases, wrong types and other documents", async () => {
    const texts = [
      "on: &a [*a]\njobs: 1\n",
      "jobs: { a: { steps: { b: 1 } }, c: null }\non: { push: }\n",
      "- a\n",
      "a: [\n",
      "",
      "--- a\n--- b\n",
    ];
    const files = texts.map((text, at) => sourceFile(`.github/workflows/${at}.yml`, text));
    const { problems } = await workflows.analyse(files, readerContext());
    expect(problems.every(({ gap }) => !gap)).toBe(true);
  });
});

describe("actionlint with Forge's choice of messages", () => {
  it("REV-1: reports what GitHub refuses, in own words", async () => {
    const text = [
      "on: push",
      "jobs:",
      "  a:",
      "    runs-on: ubuntu-24.04-arm",
      "    needs: c",
      "    steps:",
      `      - run: echo ${expression("foo.bar")}`,
      `      - run: echo ${expression("vars.NAME")} ${expression("secrets.X")}`,
      `      - run: echo ${expression("'a")}`,
      `      - run: echo ${expression("steps.none.outputs.x")} ${expression("github.newer")}`,
      '      - run: echo "::set-output name=a::b"',
      "  b:",
      "    steps: [{ run: x, uses: ./y }]",
      "    permissions: { attestations: write }",
      "",
    ].join("\n");
    expect(await faults(text)).toEqual([
      "3 actionlint/job-needs The job `a` needs the job `c`, which does not exist.",
      "7 actionlint/expression There is nothing called `foo` in expressions.",
      "9 actionlint/expression This expression cannot be parsed.",
      "10 actionlint/expression No earlier step and no needed job is called `none`.",
      "11 actionlint/deprecated-commands The workflow command `set-output` was withdrawn.",
      "12 actionlint/syntax-check `runs-on` is missing in this job.",
      "13 actionlint/syntax-check This step both runs a script and uses an action.",
    ]);
  });

  it("says nothing about what its lists are too old for", async () => {
    const text = [
      "on: [push, merge_group]",
      "permissions: { models: read }",
      "jobs:",
      "  a:",
      "    runs-on: ubuntu-26.04",
      "    steps:",
      "      - uses: actions/checkout@v9",
      "        with: { new-input: true }",
      "",
    ].join("\n");
    expect(await faults(text)).toEqual([]);
  });

  it("R13, R14: does not report aliases or parallel steps as mistakes, and still finds real ones", async () => {
    const text = [
      "on: push",
      "jobs:",
      "  three: &three { runs-on: ubuntu-latest, steps: [{ run: npm run lint }] }",
      "  four: *three",
      "  five:",
      "    runs-on: ubuntu-latest",
      "    env: &env { A: b }",
      "    steps:",
      "      - &check",
      "        run: &script ./check",
      "      - *check",
      "      - run: *script",
      "        env: *env",
      "      - parallel: [{ id: built, run: ./build }]",
      "      - wait-all: true",
      `      - run: echo ${expression("steps.built.outputs.x")}`,
      `      - run: echo ${expression("steps.none.outputs.x")}`,
      "      - wait-everything: true",
      "",
    ].join("\n");
    expect(await faults(text)).toEqual([
      "17 actionlint/expression No earlier step and no needed job is called `none`.",
      "18 actionlint/syntax-check `step` has no key `wait-everything`.",
    ]);
  });

  it("GH-11a: leaves YAML that does not parse to the syntax analyser, which would end its program", async () => {
    const { observations, problems } = await actionlint.analyse(
      [sourceFile(PATH, "a: ["), sourceFile(".github/workflows/b.yml", "on: push\njobs:\n  a: { steps: [] }\n")],
      readerContext(),
    );
    expect(problems).toEqual([{ file: PATH, reason: "not linted: it does not parse", gap: false }]);
    expect(observations.map(({ file }) => file)).toContain(".github/workflows/b.yml");
  });
});
