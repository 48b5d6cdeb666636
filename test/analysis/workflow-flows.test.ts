// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of workflows
import { describe, expect, it } from "vitest";
import { findDangersIn } from "../../src/analysis/workflows/find-dangers.ts";

const TITLE = "${{ github.event.pull_request.title }}";
const BODY = "${{ github.event.pull_request.body }}";
const SHA = "${{ github.event.pull_request.head.sha }}";
const PINNED = "0123456789abcdef0123456789abcdef01234567";

/** The dangers of a text, each once, that are more than a note: `rule severity`. */
function dangersOf(text: string): string[] {
  const found = (findDangersIn([])({ text }) ?? []).filter(({ severity }) => severity !== "info");
  return [...new Set(found.map(({ rule, severity }) => `${rule} ${severity}`))];
}

/** A workflow for pull requests of strangers with one job. */
const job = (lines: string) => `on: pull_request_target\njobs:\n  one:\n${lines.replace(/^/gm, "    ")}\n`;
const steps = (lines: string) => job(`runs-on: x\nsteps:\n${lines.replace(/^/gm, "  ")}`);

/** A script that reads `T`, which strangers choose, and a later step that puts an output of it into a script. */
const output = (script: string, text = TITLE, use = "steps.s.outputs.t") =>
  steps(`- id: s\n  env: { T: "${text}" }\n  run: |\n${script.replace(/^/gm, "    ")}\n- run: echo "\${{ ${use} }}"`);
const environment = (script: string, text = BODY, later = "./run") =>
  steps(`- env: { T: "${text}" }\n  run: |\n${script.replace(/^/gm, "    ")}\n- run: ${later}`);
const fetched = (script: string, value = SHA) =>
  steps(`- env: { S: "${value}" }\n  run: |\n${script.replace(/^/gm, "    ")}`);
const matrix = (text: string, use = "matrix.name") =>
  job(`strategy: { matrix: ${text} }\nsteps: [{ run: "echo \${{ ${use} }}" }]`);
const needs = (output: string, use = "needs.a.outputs.t", list = "[a]") =>
  `on: issues\njobs:\n  b:\n    needs: ${list}\n    steps: [{ run: "echo \${{ ${use} }}" }]\n  a:\n    outputs: { T: "${output}" }\n    steps: []\n`;

const INJECTION = ["script-injection error"];
const SET = ["environment-injection error"];
const HEAD = ["privileged-head-checkout critical"];

describe("REV-1: what strangers choose reaches a script by way of other values", () => {
  it.each([
    ["an output", output('echo "t=$T" >> "$GITHUB_OUTPUT"')],
    ["an output, unquoted", output("echo t=${T} >> $GITHUB_OUTPUT")],
    ["an output by tee", output('echo "t=$T" | tee -a $GITHUB_OUTPUT')],
    ["an output in a block", output('{\n  echo "a=1"\n  echo "t=$T"\n} >> "$GITHUB_OUTPUT"')],
    ["an output in a here-document", output("cat >> $GITHUB_OUTPUT <<END\nt=$T\nEND")],
    [
      "an output of lines",
      output('echo "t<<EOF" >> $GITHUB_OUTPUT\necho "$T" >> $GITHUB_OUTPUT\necho EOF >> $GITHUB_OUTPUT'),
    ],
    ["another output, by a line break", output('echo "x=$T" >> $GITHUB_OUTPUT', BODY)],
    ["an output of PowerShell", output('"t=$env:T" >> $env:GITHUB_OUTPUT')],
    [
      "an output behind a condition",
      output('[ -n "$T" ] && echo "t=$T" >> $GITHUB_OUTPUT || echo "t=a" >> $GITHUB_OUTPUT'),
    ],
    ["all outputs", output('echo "t=$T" >> $GITHUB_OUTPUT', TITLE, "toJSON(steps)")],
    ["an output in any case", output('echo "t=$T" >> $GITHUB_OUTPUT', TITLE, "Steps.S.Outputs['T']")],
    ["the environment of later steps", environment('echo "U=$T" >> $GITHUB_ENV', TITLE, 'echo "${{ env.U }}"')],
    ["a matrix", matrix(`{ name: ["${TITLE}"] }`)],
    ["a matrix of objects", matrix(`{ os: [{ name: "${TITLE}" }] }`, "matrix.os.name")],
    ["a matrix by include", matrix(`{ include: [{ name: "${TITLE}" }] }`)],
    ["a matrix that is read", matrix('"${{ fromJSON(github.event.pull_request.body) }}"', "matrix.a.b")],
    ["a list of a matrix that is read", matrix('{ a: "${{ fromJSON(github.head_ref) }}" }', "matrix.a.b")],
    ["all of a matrix", matrix(`{ name: ["${TITLE}"] }`, "toJSON(matrix)")],
    ["an output of another job", needs("${{ github.event.issue.title }}")],
    ["any output of another job", needs("${{ github.event.issue.title }}", "join(needs.*.outputs.*, ' ')")],
    [
      "an output of a step of another job",
      `on: issues\njobs:\n  a:\n    outputs: { t: "\${{ steps.s.outputs.t }}" }\n    steps: [{ id: s, env: { T: "\${{ github.event.issue.title }}" }, run: 'echo "t=$T" >> $GITHUB_OUTPUT' }]\n  b: { needs: a, steps: [{ run: "echo \${{ needs.a.outputs.t }}" }] }\n`,
    ],
    [
      "env of a job from an output",
      `on: issues\njobs:\n  a: { outputs: { t: "${TITLE}" }, steps: [] }\n  b: { needs: a, env: { U: "\${{ needs.a.outputs.t }}" }, steps: [{ run: "echo \${{ env.U }}" }] }\n`,
    ],
    ["an index", steps('- run: echo "${{ github.event.commits[0].message }}"')],
    ["a wildcard", steps(`- run: echo "\${{ join(github.event.commits.*.message, ',') }}"`)],
    ["a committer", steps('- run: echo "${{ github.event.workflow_run.head_commit.committer.name }}"')],
    ["the description of a fork", steps('- run: echo "${{ github.event.workflow_run.head_repository.description }}"')],
    [
      "a script of github-script in any case",
      steps(`- uses: Actions/GitHub-Script@${PINNED}\n  with: { Script: "say('${TITLE}')" }`),
    ],
    ["a script of another action", steps(`- uses: azure/cli@${PINNED}\n  with: { inlineScript: "echo ${TITLE}" }`)],
    ["a shell", steps('- shell: "${{ github.head_ref }} {0}"\n  run: x')],
    ["a shell of a job", job('defaults: { run: { shell: "${{ github.head_ref }} {0}" } }\nsteps: []')],
    ["an image", job('container: "${{ github.event.pull_request.title }}"\nsteps: []')],
    ["an image of a service", job(`services: { db: { image: "${TITLE}" } }\nsteps: []`)],
    ["options of a container", job(`container: { image: node, options: "--name ${TITLE}" }\nsteps: []`)],
    ["a file that begins with a mark", `---\n${steps(`- run: echo ${TITLE}`)}`],
    ["the first of several documents", `${steps(`- run: echo ${TITLE}`)}---\na: 1\n`],
    ["an anchor", steps(`- &first\n  env: { T: "${TITLE}" }\n  run: &script echo "\${{ env.T }}"\n- *first`)],
  ])("by %s", (_way, text) => {
    expect(dangersOf(text)).toEqual(INJECTION);
  });

  it.each([
    ["a variable in quotes", steps(`- env: { T: "${TITLE}" }\n  run: echo "$T"`)],
    ["an output that is used as a variable", output('echo "t=$T" >> $GITHUB_OUTPUT', TITLE, "'x'")],
    ["another output", output('echo "x=$T" >> $GITHUB_OUTPUT')],
    ["an output of another step", output('echo "t=$T" >> $GITHUB_OUTPUT', TITLE, "steps.x.outputs.t")],
    ["the outcome of a step", output('echo "t=$T" >> $GITHUB_OUTPUT', TITLE, "steps.s.outcome")],
    ["a part of an output", output('echo "t=$T" >> $GITHUB_OUTPUT', TITLE, "steps.s.outputs.t.x")],
    ["an output through a program", output(`echo "t=$(echo "$T" | tr -cd a-z)" >> $GITHUB_OUTPUT`)],
    ["an output through the shell", output('echo "t=${T//[^a-z]/}" >> $GITHUB_OUTPUT')],
    ["an output of a length", output('echo "t=${#T}" >> $GITHUB_OUTPUT')],
    ["an output between single quotes", output("echo 't=$T' >> $GITHUB_OUTPUT")],
    ["an output in a plain here-document", output("cat >> $GITHUB_OUTPUT <<'END'\nt=$T\nEND")],
    ["an output behind a check", output('[[ "$T" =~ ^[a-z]+$ ]] || exit 1\necho "t=$T" >> $GITHUB_OUTPUT')],
    ["an output of a variable that was set", output('T=$(./clean)\necho "t=$T" >> $GITHUB_OUTPUT')],
    ["an output of a variable of another case", output('t=$(./clean "$T")\necho "t=$t" >> $GITHUB_OUTPUT')],
    ["an output that is no file of the runner", output('echo "t=$T" >> out.txt')],
    ["an output of a fixed text", output('echo "t=$T" >> $GITHUB_OUTPUT', "x")],
    ["an output of a truth value", output('echo "t=$T" >> $GITHUB_OUTPUT', "${{ contains(github.head_ref, 'x') }}")],
    [
      "an output of a number",
      output('echo "t=$T" >> $GITHUB_OUTPUT', "${{ github.event.number }}").replace("_target", ""),
    ],
    [
      "an earlier step",
      steps(
        `- run: echo "\${{ steps.s.outputs.t }}"\n- id: s\n  env: { T: "${TITLE}" }\n  run: echo "t=$T" >> $GITHUB_OUTPUT`,
      ),
    ],
    [
      "the environment, hidden",
      `${environment('echo "U=$T" >> $GITHUB_ENV', TITLE, 'echo "${{ env.U }}"')}      env: { U: x }\n`,
    ],
    ["the environment, as a variable", environment('echo "U=$T" >> $GITHUB_ENV', TITLE, 'echo "$U"')],
    ["a matrix of fixed texts", matrix(`{ name: [a, "\${{ format('{0}', 1) }}"], other: ["${TITLE}"] }`)],
    ["what a matrix leaves out", matrix(`{ name: [a], exclude: [{ name: "${TITLE}" }] }`)],
    ["another part of a matrix", matrix(`{ os: [{ name: a, title: "${TITLE}" }] }`, "matrix.os.name")],
    ["an output of a job that is not needed", needs("${{ github.event.issue.title }}", "needs.a.outputs.t", "[]")],
    ["an output with a fixed result", needs("${{ startsWith(github.head_ref, 'x') }}")],
    [
      "jobs that need each other",
      `on: issues\njobs:\n  a: { needs: b, outputs: { t: "\${{ needs.b.outputs.t }}" }, steps: [{ run: "\${{ needs.b.outputs.t }}" }] }\n  b: { needs: a, outputs: { t: "\${{ needs.a.outputs.t }}" }, steps: [] }\n`,
    ],
    ["a format of a number", steps("- run: echo ${{ format('{0}', 1) }}")],
    [
      "names that GitHub gives",
      steps(
        "- run: echo ${{ github.actor }} ${{ github.event.pull_request.user.login }} ${{ github.ref_name }} ${{ join(github.event.pull_request.labels.*.name, ' ') }}",
      ),
    ],
    ["an input that is no script", steps(`- uses: a/b@${PINNED}\n  with: { script: "${TITLE}" }`)],
    ["a shell among fixed ones", steps("- shell: ${{ contains(github.head_ref, 'x') && 'bash' || 'sh' }}\n  run: x")],
    ["the tag of an image", job(`container: "ghcr.io/acme/build:${TITLE}"\nsteps: []`)],
    [
      "an image of a matrix",
      job('strategy: { matrix: { image: [node, deno] } }\ncontainer: "${{ matrix.image }}"\nsteps: []'),
    ],
  ])("and does not by %s", (_way, text) => {
    expect(dangersOf(text)).toEqual([]);
  });
});

describe("REV-1: what is written to GITHUB_ENV and GITHUB_PATH", () => {
  it.each([
    ["lines as one value", environment('echo "U=$T" >> $GITHUB_ENV'), SET],
    ["lines of a commit", environment('echo "U=$T" >> $GITHUB_ENV', "${{ github.event.head_commit.message }}"), SET],
    ["a folder of programs", environment('echo "$T" >> $GITHUB_PATH', TITLE), SET],
    [
      "lines between fixed marks",
      environment('echo "U<<EOF" >> $GITHUB_ENV\necho "$T" >> $GITHUB_ENV\necho "EOF" >> $GITHUB_ENV'),
      ["environment-injection warning"],
    ],
    [
      "lines between random marks",
      environment('M=$(uuidgen)\n{\n  echo "U<<$M"\n  echo "$T"\n  echo "$M"\n} >> "$GITHUB_ENV"'),
      [],
    ],
    ["a title, which is one line", environment('echo "U=$T" >> $GITHUB_ENV', TITLE), []],
    ["a fixed folder", environment('echo "$HOME/bin" >> $GITHUB_PATH'), []],
    ["lines through a program", environment('echo "U=$(echo "$T" | head -n1)" >> $GITHUB_ENV'), []],
    ["lines as JSON", environment('echo "U=$T" >> $GITHUB_ENV', "${{ toJSON(github.event.issue.title) }}"), []],
  ])("%s", (_what, text, found) => {
    expect(dangersOf(text)).toEqual(found);
  });
});

describe("REV-1: the code of a pull request, by a variable", () => {
  it.each([
    ['git checkout "$S"', SHA, HEAD],
    ["git -C app checkout ${S}", SHA, HEAD],
    ['git fetch origin "$S"\ngit checkout FETCH_HEAD', SHA, HEAD],
    ["git checkout ${{ env.S }}", SHA, HEAD],
    ["git checkout ${{ env.S || 'a' }}", SHA, HEAD],
    ["git checkout ${{ env.S == 'x' && 'a' || 'b' }}", SHA, []],
    ["git switch --detach $S", "${{ github.head_ref }}", HEAD],
    ['git clone --branch "$S" https://example.org/app', "${{ github.head_ref }}", HEAD],
    ["git reset --hard $S", "${{ github.event.workflow_run.head_sha }}", HEAD],
    ["git fetch origin $S && git diff $S", SHA, []],
    ['git checkout "$S" -- data.json', SHA, []],
    ["# git checkout $S", SHA, []],
    ["git checkout $S", "${{ github.event.pull_request.base.sha }}", []],
    ["git checkout $s", SHA, []],
    ["git diff $S", SHA, []],
    ["git log $S; git checkout main", SHA, []],
  ])("%s with %s", (script, value, found) => {
    expect(dangersOf(fetched(script, value))).toEqual(found);
  });

  it("ignores a variable that only has such a name", () => {
    const checkout = (value: string) => steps(`- env: { PR_HEAD_SHA: "${value}" }\n  run: git checkout "$PR_HEAD_SHA"`);
    expect(dangersOf(checkout(SHA))).toEqual(HEAD);
    expect(dangersOf(checkout("${{ github.sha }}"))).toEqual([]);
  });

  it("by an output, and by an input of checkout in any case", () => {
    const checkout = (ref: string) => `- uses: actions/checkout@${PINNED}\n  with: { REF: "${ref}" }`;
    expect(dangersOf(steps(checkout(SHA)))).toEqual(HEAD);
    const written = `- id: s\n  env: { S: "${SHA}" }\n  run: echo "sha=$S" >> $GITHUB_OUTPUT\n`;
    expect(dangersOf(steps(written + checkout("${{ steps.s.outputs.sha }}")))).toEqual(HEAD);
    expect(dangersOf(steps(written + checkout("${{ steps.s.outputs.other }}")))).toEqual([]);
  });
});

describe("REV-1: values that workflows and actions of one repository hand to each other", () => {
  const CALLED = ".github/workflows/called.yml";
  const ACTION = ".github/actions/say/action.yml";
  const called = (use: string, type = "string") =>
    `on: { workflow_call: { inputs: { Title: { type: ${type} } } } }\njobs: { a: { steps: [{ env: { T: "\${{ inputs.title }}" }, run: 'echo ${use}' }] } }\n`;
  const action = (use: string) =>
    `inputs: { title: {} }\nruns: { using: composite, steps: [{ shell: bash, env: { T: "\${{ inputs.title }}" }, run: 'echo ${use}' }] }\n`;
  const byJob = (value: string, on = "issues") =>
    `on: ${on}\njobs: { a: { uses: ./${CALLED}, with: { title: "${value}" } } }\n`;
  const byStep = (value: string, folder = "./.github/actions/say/") =>
    `on: issues\njobs: { a: { steps: [{ uses: ${folder}, with: { TITLE: "${value}" } }] } }\n`;
  const TEXT = "${{ github.event.issue.title }}";
  const INPUT = "${{ inputs.title }}";

  it.each([
    ["a workflow", CALLED, called(INPUT), byJob(TEXT), INJECTION],
    ["an action", ACTION, action(INPUT), byStep(TEXT), INJECTION],
    ["an action, by env", ACTION, action("${{ env.T }}"), byStep(TEXT), INJECTION],
    ["an action, as a variable", ACTION, action('"$T"'), byStep(TEXT), []],
    ["a workflow that takes a number", CALLED, called(INPUT, "number"), byJob(TEXT), []],
    ["a fixed text", CALLED, called(INPUT), byJob("x"), []],
    ["a truth value", ACTION, action(INPUT), byStep("${{ contains(github.event.issue.title, 'x') }}"), []],
    ["another action", ACTION, action(INPUT), byStep(TEXT, "./say"), []],
    ["an action of others", ACTION, action(INPUT), byStep(TEXT, "acme/say@main"), ["unpinned-action warning"]],
  ])("%s", (_what, path, target, caller, found) => {
    const at = (changed: "caller" | "called") =>
      findDangersIn([
        { path, text: target, changed: changed === "called" },
        { path: ".github/workflows/x.yml", text: caller, changed: changed === "caller" },
      ])(changed === "called" ? { path, text: target } : { path: ".github/workflows/x.yml", text: caller });
    const worse = (dangers: ReturnType<typeof at>) =>
      (dangers ?? []).filter(({ severity }) => severity !== "info").map(({ rule, severity }) => `${rule} ${severity}`);
    expect(worse(at("caller"))).toEqual(found);
    expect(worse(at("called"))).toEqual(found.filter((one) => !one.startsWith("unpinned")));
  });

  it("are named where they are handed over, once", () => {
    const caller = byJob(TEXT);
    const read = (changed: boolean, on = caller) =>
      findDangersIn([{ path: CALLED, text: called(INPUT), changed }])({ path: ".github/workflows/x.yml", text: on });
    expect(read(false)?.map(({ from, message }) => `${caller.slice(from, from + 9)} ${message}`)).toEqual([
      '"${{ gith `github.event.issue.title` becomes part of a script in `.github/workflows/called.yml`, as its input `title`.',
    ]);
    expect(read(true)).toEqual([]);
    expect(read(false, byJob("${{ github.event.head_commit.message }}", "push"))?.map((one) => one.severity)).toEqual([
      "warning",
    ]);
  });
});
