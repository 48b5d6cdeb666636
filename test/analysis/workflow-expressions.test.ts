import { describe, expect, it } from "vitest";
import { environmentWithin } from "../../src/analysis/workflows/environment.ts";
import { expressionsIn, yieldsOf } from "../../src/analysis/workflows/expressions.ts";
import { findDangersIn } from "../../src/analysis/workflows/find-dangers.ts";
import { isHead, isUntrusted, pathText } from "../../src/analysis/workflows/untrusted.ts";
import fc from "../properties.ts";

const expression = (source: string) => `\${{ ${source} }}`;
const chosen = (source: string) => yieldsOf(expression(source)).filter(isUntrusted).map(pathText);
const inSteps = (...steps: readonly string[]) =>
  `on: pull_request_target\njobs:\n  one:\n    runs-on: x\n    steps:\n${steps.map((step) => `      ${step}\n`).join("")}`;
const dangers = (text: string) =>
  findDangersIn([])({ text })?.map(({ rule, from }) => `${text.slice(0, from).split("\n").length} ${rule}`);

describe("R15: expressions with a fixed result are no injection", () => {
  it.each([
    "contains(github.event.pull_request.title, 'wip')",
    "CONTAINS(github.event.pull_request.title, 'wip')",
    "startsWith(github.head_ref, 'x')",
    "endsWith(github.head_ref, 'x') || success()",
    "github.event.pull_request.title == 'wip' && 'a' || 'b'",
    "github.event.pull_request.title && 'a' || 'b'",
    "!github.head_ref",
    "github.head_ref != github.base_ref",
    "(github.event.issue.title == 'x')",
    "case(github.head_ref == 'x', 'a', 'b')",
    "hashFiles(github.head_ref)",
    "format('{0}', contains(github.head_ref, 'x'))",
    "'github.event.issue.title'",
    "github.event.pull_request.number",
    "github.event.pull_request",
    "github.event.repository.description",
    "toJSON(github.event.inputs)",
    "toJSON(github.event.pull_request.labels)",
    "toJSON(matrix)",
    "(github.event.issue || github.event.pull_request).number",
    "(github.event.issue || github.event.pull_request)['user'].login",
    "case(github.event.issue.title == 'x', github.event.issue, github.event.pull_request).number",
    "fromJSON(toJSON(github.event)).issue.number",
    "github.event.pull_request[github.event.action == 'opened' && 'number' || ('id')]",
    "(github.event.repository || github.event.organization).title_url",
    "join(github.event.*, ' ')",
    "join(github.event.commits.*, ' ')",
    "join(github.event.pull_request.labels.*.*, ' ')",
    "env.title",
    "toJSON(env)",
    "github.sha",
    "vars.title",
    "1.5e3",
    "",
    "github.head_ref ==",
    "github..head_ref",
    `${"(".repeat(300)}github.head_ref${")".repeat(300)}`,
  ])("%s", (source) => {
    expect(chosen(source)).toEqual([]);
  });
});

describe("R16: other spellings of what strangers choose", () => {
  it.each([
    ["toJSON(github.event)", "toJSON(github.event)"],
    ["toJson(github)", "toJSON(github)"],
    ["toJSON(github.event.pull_request.head)", "toJSON(github.event.pull_request.head)"],
    ["toJSON(github.event.commits[0])", "toJSON(github.event.commits.*)"],
    ["github.event.pull_request['title']", "github.event.pull_request.title"],
    ["github['event']['issue']['body']", "github.event.issue.body"],
    ["GitHub.Event.Issue.Title", "github.event.issue.title"],
    ["github . event . issue . title", "github.event.issue.title"],
    ["github.event.pull_request[matrix.field]", "github.event.pull_request.*"],
    [
      "github.event[github.event_name == 'issues' && 'issue' || 'Pull_Request']['title']",
      "github.event.issue.title, github.event.pull_request.title",
    ],
    ["github.event.pull_request[matrix.field || 'number']", "github.event.pull_request.*"],
    ["github.event.forkee.description", "github.event.forkee.description"],
    ["github.event.*.title", "github.event.*.title"],
    ["join(github.event.commits.*.message, ' ')", "github.event.commits.*.message"],
    ["github.event.head_commit.author.email", "github.event.head_commit.author.email"],
    ["github.event.pull_request.head.repo.default_branch", "github.event.pull_request.head.repo.default_branch"],
    ["fromJSON(toJSON(github.event)).issue.title", "github.event.issue.title"],
    ["fromJSON(github.event.comment.body).x", "github.event.comment.body"],
    ["github.event.issue.title || 'none'", "github.event.issue.title"],
    ["github.event.action == 'x' && github.head_ref", "github.head_ref"],
    ["case(github.actor == 'x', 'a', github.head_ref)", "github.head_ref"],
    ["format('it''s {0}', (github.head_ref))", "github.head_ref"],
    ["newerFunction(github.head_ref)", "github.head_ref"],
    ["newerFunction(github.event).issue.title", "github.event.issue.title"],
    [
      "(github.event.issue || github.event.pull_request).title",
      "github.event.issue.title, github.event.pull_request.title",
    ],
    ["(github.event.x && github.event.issue || github.sha)['title']", "github.event.issue.title"],
    ["((github.event || github.sha).issue || github.sha).body", "github.event.issue.body"],
    ["case(github.actor == 'x', github.event.issue, 'none').title", "github.event.issue.title"],
    ["fromJSON(toJSON(github.event.issue) || '{}').title", "github.event.issue.title"],
    ["join(github.event.*.*, ' ')", "github.event.*.*"],
    ["join(github.event.commits.*.*, ' ')", "github.event.commits.*.*"],
    ["join(github.*, ' ')", "github.*"],
  ])("%s", (source, path) => {
    expect(chosen(source).join(", ")).toBe(path);
  });

  it.each([
    ["github.event.pull_request['head']['sha']", true],
    ["GITHUB.HEAD_REF", true],
    ["github.event.workflow_run.head_sha", true],
    ["github.event.issue.number", true],
    ["github.event.pull_request.head.sha == github.sha && 'a' || 'b'", false],
    ["github.event.pull_request.base.sha", false],
    ["(github.event.pull_request || github.event.workflow_run).head.sha", true],
    ["(github.event.pull_request || github.event.workflow_run).base.sha", false],
  ])("as the code of a pull request: %s", (source, head) => {
    expect(yieldsOf(expression(source)).some(isHead)).toBe(head);
    const step = [
      "- uses: actions/checkout@0123456789abcdef0123456789abcdef01234567",
      `  with: { ref: "${expression(source)}" }`,
    ];
    expect(dangers(inSteps(...step))).toEqual(head ? ["7 privileged-head-checkout"] : []);
  });
});

describe("GH-11a: the expressions of a text", () => {
  it("end behind quotes, and one that has no end is none", () => {
    const quoted = expression("format('}} {0}', github.head_ref)");
    expect(expressionsIn(`a ${quoted} b ${expression("x")} \${{ c`)).toEqual([quoted, expression("x")]);
    expect(chosen("format('}} {0}', github.head_ref)")).toEqual(["github.head_ref"]);
  });

  it("any expression is read without an error", () => {
    const part = fc.constantFrom(
      "github",
      ".",
      "head_ref",
      "[",
      "]",
      "(",
      ")",
      "'",
      "*",
      "&&",
      "||",
      "!",
      "==",
      ",",
      "toJSON",
      "1",
      " ",
      "}}",
      "${{",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        for (const found of expressionsIn(expression(parts.join("")))) expect(yieldsOf(found)).toBeInstanceOf(Array);
      }),
      { numRuns: 500 },
    );
  });
});

describe("R13: workflows with anchors", () => {
  it("reads what an alias stands for, at the place of the anchor", () => {
    const text = inSteps(
      "- &first",
      `  run: &script 'echo ${expression("github.head_ref")}'`,
      "- *first",
      "- run: *script",
    );
    expect(dangers(text)).toEqual(["7 script-injection", "7 script-injection"]);
  });

  it("reads a script that is anchored in the environment", () => {
    const script = `env: { X: &script "echo ${expression("github.event.comment.body")}" }`;
    expect(dangers(`${script}\n${inSteps("- run: *script")}`)).toEqual(["1 script-injection"]);
  });

  it("reads jobs and events that are aliases, and survives circles and a billion laughs", () => {
    const jobs = `jobs:\n  one: &one\n    steps: [{ run: 'echo ${expression("github.head_ref")}' }]\n  two: *one\n`;
    expect(dangers(`x: &on pull_request_target\non: *on\n${jobs}`)).toEqual(["5 script-injection"]);
    expect(dangers("on: push\njobs:\n  one:\n    steps: &steps\n      - parallel: *steps\n")).toEqual([]);
    const laughs = Array.from(
      { length: 40 },
      (_, at) => `s${at + 1}: &s${at + 1} [{ parallel: *s${at} }, { parallel: *s${at} }]`,
    );
    const steps = `s0: &s0 [{ run: 'echo ${expression("github.head_ref")}' }]`;
    expect(dangers(["on: issues", steps, ...laughs, "jobs: { a: { steps: *s40 } }"].join("\n"))).toEqual([
      "2 script-injection",
    ]);
  });
});

describe("R14: steps that run side by side", () => {
  it("are read as steps", () => {
    const text = inSteps(
      "- parallel:",
      `    - run: echo "${expression("github.event.pull_request.title")}"`,
      "    - uses: actions/checkout@0123456789abcdef0123456789abcdef01234567",
      `      with: { ref: "${expression("github.head_ref")}" }`,
      "- run: ./serve",
      "  background: true",
      "- wait-all: true",
      "- wait: [serve]",
    );
    expect(dangers(text)?.sort()).toEqual(["7 script-injection", "9 privileged-head-checkout"]);
  });
});

describe("REV-1: what comes through the context `env`", () => {
  const title = expression("github.event.issue.title");
  const script = (env: string, job: string, step: string, run: string) =>
    `on: issues\nenv: {${env}}\njobs:\n  a:\n    env: {${job}}\n    steps: [{ run: "${run}", env: {${step}} }]\n`;
  const handedOn = (step: string, source: string) => script(`T: "${title}"`, "", step, `echo ${expression(source)}`);
  it.each([
    ["of the workflow", script(`TITLE: "${title}"`, "", "", `echo ${expression("env.title")}`), ["6 script-injection"]],
    ["of the job", script("", `TITLE: "${title}"`, "", `echo ${expression("env.TITLE")}`), ["6 script-injection"]],
    ["of the step", script("", "", `TITLE: "${title}"`, `echo ${expression("env['TITLE']")}`), ["6 script-injection"]],
    ["as a variable", script("", "", `TITLE: "${title}"`, "echo $TITLE"), []],
    ["hidden by the step's own", script(`T: "${title}"`, "", "T: x", `echo ${expression("env.T")}`), []],
    [
      "with a fixed result",
      script(`T: "${expression("contains(github.head_ref, 'x')")}"`, "", "", `echo ${expression("env.T")}`),
      [],
    ],
    ["handed on by another name", handedOn(`U: "${expression("env.T")}"`, "env.U"), ["6 script-injection"]],
    ["handed on by its own name", handedOn(`T: "${expression("env.T")}"`, "env.T"), ["6 script-injection"]],
    ["handed on with all the others", handedOn(`U: "${expression("toJSON(env)")}"`, "env.U"), ["6 script-injection"]],
    ["written out with all the others", handedOn("", "toJSON(env)"), ["6 script-injection"]],
    ["joined with all the others", handedOn("", "join(env.*, ' ')"), ["6 script-injection"]],
    ["by a name that is computed", handedOn("", "env[matrix.name]"), ["6 script-injection"]],
    ["as one of two", handedOn("", "(env || vars).T"), ["6 script-injection"]],
    [
      "read back",
      handedOn(`U: "${expression("toJSON(github.event)")}"`, "fromJSON(env.U).issue.title"),
      ["6 script-injection"],
    ],
    [
      "read back, and only a number",
      handedOn(`U: "${expression("toJSON(github.event)")}"`, "fromJSON(env.U).issue.number"),
      [],
    ],
    [
      "from another name of the same step, which GitHub does not read",
      handedOn(`T: x, U: "${expression("env.S")}", S: "${title}"`, "env.U"),
      [],
    ],
    ["hidden, and all written out", handedOn("t: x", "toJSON(env)"), []],
    ["as fixed texts", script("T: x", "", `U: "${expression("env.T")}"`, `echo ${expression("toJSON(env)")}`), []],
    [
      "in a circle",
      script("", "", `T: "${expression("env.U")}", U: "${expression("env.T")}"`, `echo ${expression("env.T")}`),
      [],
    ],
  ])("%s", (_where, text, found) => {
    expect(dangers(text)).toEqual(found);
  });

  it.each([
    ["github.event.pull_request.head.sha", ["7 privileged-head-checkout"]],
    ["github.event.pull_request.base.sha", []],
  ])("leads a checkout to %s", (source, found) => {
    const checkout = [
      "- uses: actions/checkout@0123456789abcdef0123456789abcdef01234567",
      `  with: { ref: "${expression("env.ref")}" }`,
      `  env: { REF: "${expression("env.SHA")}" }`,
    ];
    expect(dangers(`${inSteps(...checkout)}env: { SHA: "${expression(source)}" }\n`)).toEqual(found);
  });

  it("is bounded where each name refers to all the others", () => {
    const names = (value: string) =>
      Array.from({ length: 250 }, (_, at) => [`N${at}`, expression(value.replace("#", `${at}`))] as const);
    const outer = environmentWithin([["T", title], ...names("github.event.issue.labels_#")], new Map());
    const inner = environmentWithin(names("toJSON(env)"), outer);
    const settings = environmentWithin([...names("vars.n#"), ["T", title]], new Map());
    expect(settings.get("env\nt\n")).toEqual(yieldsOf(title));
    const sizes = [outer, inner].map(
      (one) => [...one].flatMap(([key, yields]) => (key[0] === "$" ? [] : yields)).length,
    );
    expect(sizes).toEqual([200, 200]);
    expect(yieldsOf(expression("toJSON(env)"), inner).filter(isUntrusted).map(pathText)).toContain(
      "toJSON(github.event.issue.title)",
    );
  });
});

describe("REV-1: inputs that become part of a script", () => {
  const called = (type: string) =>
    `on: { workflow_call: { inputs: { Name: { type: ${type} } } } }\njobs: { a: { steps: [{ run: "echo \${{ inputs.name }}" }] } }\n`;
  it("are said of a called workflow where they are text, and of an action always", () => {
    expect(dangers(called("string"))).toEqual(["2 script-injection"]);
    expect(dangers(called("number"))).toEqual([]);
    const action = `runs: { using: composite, steps: [{ run: "echo ${expression("inputs['name']")} ${expression("github.head_ref")}" }] }\n`;
    expect(findDangersIn([])({ text: action })?.map(({ severity }) => severity)).toEqual(["error"]);
    expect(
      findDangersIn([])({ text: action.replace("github.head_ref", "'x'") })?.map(({ severity }) => severity),
    ).toEqual(["info"]);
  });
});
