import { expect, it } from "vitest";
import { shareWorld } from "./end-world.ts";
import { CLEAN, checks, FAULTY, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

const CONFIGURATION = ".github/forge.yml";

const BY_HAND = "(say `/forge review` to have it reviewed now)";

let world: World;
shareWorld(createWorld, async (made) => {
  world = made;
  world.github.createAccount("renovate[bot]", "Bot");
  await world.settled();
});

async function configured(name: string, configuration: string): Promise<string> {
  await world.github.createRepository("acme", name, {
    files: { "README.md": "# Configured\n", [CONFIGURATION]: configuration },
    collaborators: { ana: "admin", "renovate[bot]": "write" },
  });
  return `acme/${name}`;
}

it("GH-2: authors, labels and base branches are left out as the default branch says, each with its reason", async () => {
  const repository = await configured(
    "chosen",
    `review:
  authors: { exclude: ["Renovate[bot]"] }
  labels: { exclude: [no-review] }
  base_branches: [main]
`,
  );
  const { github } = world;
  await github.commit(repository, "old", { files: { "old.ts": CLEAN }, message: "Old", author: "ana" });
  const byBot = await openPull(world, { "a.ts": FAULTY }, { repository, branch: "a", by: "renovate[bot]" });
  const elsewhere = await openPull(world, { "b.ts": FAULTY }, { repository, branch: "b", base: "old" });
  const labelled = await openPull(world, { "c.ts": CLEAN }, { repository, branch: "c" });
  await world.settled();
  await github.addLabel(repository, labelled.number, "no-review", "ana");
  await github.commit(repository, "c", { files: { "c.ts": FAULTY }, message: "More", author: "ana" });
  await world.settled();
  expect(checks(world, byBot.number, repository)).toEqual([["skipped", "Left out: author renovate[bot]"]]);
  expect(checks(world, elsewhere.number, repository)).toEqual([["skipped", "Left out: base branch old"]]);
  expect(checks(world, labelled.number, repository)).toEqual([["skipped", `Left out: label no-review ${BY_HAND}`]]);
});

it("GH-2: reviews can be switched off, and asked for by hand all the same", async () => {
  const repository = await configured("off", "review:\n  on_pr: false\n");
  const { number } = await openPull(world, { "a.ts": CLEAN }, { repository, branch: "a" });
  await world.settled();
  const [skipped] = world.github.pullRequest(repository, number).checkRuns;
  expect(skipped?.conclusion).toBe("skipped");
  world.github.rerequestCheckRun(repository, skipped!.id, "ana");
  await world.settled();
  expect(checks(world, number, repository)).toEqual([["success", "Clean: 1 file, 3 added lines"]]);
});

it("GH-2: left-out paths are not looked at and named in the summary", async () => {
  const repository = await configured("paths", 'review:\n  paths: { exclude: ["legacy/**"] }\n');
  const files = { "legacy/old.ts": FAULTY, "src/new.ts": CLEAN };
  const { number } = await openPull(world, files, { repository, branch: "a" });
  await world.settled();
  const pull = world.github.pullRequest(repository, number);
  expect(pull.reviews).toEqual([]);
  expect(pull.checkRuns[0]?.conclusion).toBe("success");
  expect(pull.checkRuns[0]?.summary).toContain("`legacy/old.ts` (excluded by the configuration)");
});

it("SEC-5: a pull request cannot bring its own configuration", async () => {
  const repository = await configured("own", "review:\n  max_comments: 1\n");
  const files = { [CONFIGURATION]: "review:\n  on_pr: false\n  comments: none\n", "a.ts": FAULTY };
  const { number } = await openPull(world, files, { repository, branch: "a" });
  await world.settled();
  const pull = world.github.pullRequest(repository, number);
  expect(pull.checkRuns[0]?.conclusion).toBe("failure");
  expect(pull.reviewComments).toHaveLength(1);
});

const WRONG = [
  ["unknown", "review:\n  comments: all\n  nonsense: 1\n", "line 3: `review.nonsense` is not a known setting"],
  ["broken", "review:\n  labels: [\n", "The `[` in this line is never closed"],
  ["value", "review:\n  max_comments: many\n", "line 2: `review.max_comments`"],
  ["list", "- review\n", "is wrong, so the defaults were used"],
  ["aliases", "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n", "Aliases are not supported"],
  ["bytes", "\u0000\u0001", "is wrong, so the defaults were used"],
] as const;

it("CONF-1: a wrong configuration is said in the summary with its line, and the defaults are used", async () => {
  const pulls: { number: number; repository: string; said: string }[] = [];
  for (const [name, text, said] of WRONG) {
    const repository = await configured(`wrong-${name}`, text);
    const { number } = await openPull(world, { "a.ts": CLEAN }, { repository, branch: "a" });
    pulls.push({ number, repository, said });
  }
  await world.settled();
  for (const { number, repository, said } of pulls) {
    const [check] = world.github.pullRequest(repository, number).checkRuns;
    expect(check?.conclusion).toBe("success");
    expect(check?.summary).toContain(said);
  }
});

it("CONF-1: the last configuration without a mistake stays in force, and is said to", async () => {
  const repository = await configured("kept", "review:\n  comments: none\n");
  const { github } = world;
  const first = await openPull(world, { "a.ts": FAULTY }, { repository, branch: "a" });
  await world.settled();
  const wrong = { [CONFIGURATION]: "review:\n  comments: nobody\n" };
  await github.commit(repository, "main", { files: wrong, message: "Configure", author: "ana" });
  const second = await openPull(world, { "b.ts": FAULTY }, { repository, branch: "b" });
  await world.settled();
  for (const { number } of [first, second]) expect(github.pullRequest(repository, number).reviews).toEqual([]);
  const [check] = github.pullRequest(repository, second.number).checkRuns;
  expect(check?.summary).toContain(
    "`.github/forge.yml` on the default branch is wrong, so its last version without a mistake stays in force: line 2",
  );
});

it("CONF-1: a mistake that a pull request makes is a finding on its line there, whatever is left out of review", async () => {
  const repository = await configured("mistaken", "review:\n  paths: { include: [src] }\n");
  const text = "review:\n  paths: { include: [src] }\n  max_coments: 5\n";
  const { number } = await openPull(world, { [CONFIGURATION]: text }, { repository, branch: "a" });
  await world.settled();
  const pull = world.github.pullRequest(repository, number);
  expect(pull.checkRuns[0]?.conclusion).toBe("failure");
  expect(pull.checkRuns[0]?.summary).not.toContain("takes effect");
  expect(pull.reviewComments.map(({ path, line }) => `${path}:${line}`)).toEqual([`${CONFIGURATION}:3`]);
  expect(pull.reviewComments[0]?.body).toContain(
    "`review.max_coments` is not a known setting. Did you mean `review.max_comments`?",
  );
});

it("CONF-1: a change of the configuration is noted: it takes effect after the merge", async () => {
  const repository = await configured("changed", "review:\n  drafts: true\n");
  const text = "review:\n  drafts: true\n  max_comments: 5\n";
  const { number } = await openPull(world, { [CONFIGURATION]: text }, { repository, branch: "a" });
  await world.settled();
  const [check] = world.github.pullRequest(repository, number).checkRuns;
  expect(check?.conclusion).toBe("success");
  expect(check?.summary).toContain("Note: `.github/forge.yml` is changed here: it takes effect once it is on `main`.");
});

it("CONF-1: an organisation's defaults hold where the repository says nothing, read with a token for that repository alone (SEC-2)", async () => {
  const { github } = world;
  github.createAccount("umbrella", "Organization", { members: { ana: "admin" } });
  const organisation = "review:\n  comments: none\n  authors: { exclude: [ben] }\n";
  for (const [name, files] of [
    [".github", { [CONFIGURATION]: organisation }],
    ["plain", { "README.md": "# Plain\n" }],
    ["loud", { [CONFIGURATION]: "review:\n  comments: all\n" }],
  ] as const) {
    await github.createRepository("umbrella", name, { files, collaborators: { ana: "admin", ben: "write" } });
  }
  github.installApp(world.app, "umbrella");
  await world.settled();
  const plain = await openPull(world, { "a.ts": FAULTY }, { repository: "umbrella/plain", branch: "a" });
  const loud = await openPull(world, { "a.ts": FAULTY }, { repository: "umbrella/loud", branch: "a" });
  const byBen = await openPull(world, { "a.ts": FAULTY }, { repository: "umbrella/loud", branch: "b", by: "ben" });
  await world.settled();
  const asked = github.requests.filter(({ operation }) => operation === "apps/create-installation-access-token");
  expect(asked.map(({ body }) => body)).toContainEqual({
    repositories: [".github"],
    permissions: { contents: "read", metadata: "read" },
  });
  expect(github.pullRequest("umbrella/plain", plain.number).reviewComments).toEqual([]);
  expect(checks(world, plain.number, "umbrella/plain")[0]?.[0]).toBe("failure");
  expect(github.pullRequest("umbrella/loud", loud.number).reviewComments).toHaveLength(2);
  expect(checks(world, byBen.number, "umbrella/loud")).toEqual([["skipped", "Left out: author ben"]]);
});

it("GH-15a: /forge config shows where settings come from, and the instructions of the default branch", async () => {
  const repository = "acme/instructed";
  const link = { mode: "120000", content: "AGENTS.md" };
  await world.github.createRepository("acme", "instructed", {
    files: { [CONFIGURATION]: "review:\n  max_comments: 5\n", "src/AGENTS.md": "Be kind.\n", "CLAUDE.md": link },
    collaborators: { ana: "admin" },
  });
  const { number } = await openPull(world, { "AGENTS.md": "Only here.\n" }, { repository, branch: "a" });
  await world.settled();
  world.github.comment(repository, number, { by: "ana", body: "/forge config" });
  await world.settled();
  const answer = world.github.pullRequest(repository, number).comments.at(-1)?.body;
  expect(answer).toContain("| `review.max_comments` | `5` | `.github/forge.yml` |");
  expect(answer).toContain("| `review.drafts` | `false` |");
  expect(answer).toContain("**Instruction files**: `src/AGENTS.md`. Left out: `CLAUDE.md` (a symbolic link).");
});
