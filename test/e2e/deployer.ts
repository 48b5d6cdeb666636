import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { type ScriptedMetrics, startMetrics } from "../chaos/deployment/metrics.ts";
import { until } from "../until.ts";
import { CLEAN, openPull } from "./pulls.ts";
import { worldWithModel } from "./with-model.ts";

export const SHOP = "acme/shop";
const WORKFLOW = ".github/workflows/deploy.yml";

const settings = (more: string) => `${more}deploy:
  after_merge: production
  production:
    way: deployment
    workflow: ${WORKFLOW}
    steps: [100]
    bake_minutes: 0
    ask_minutes: 0
    probe_seconds: 1
    watch_minutes: 0.02
`;

export type Script = (asked: Asked) => ScriptedReply | Promise<ScriptedReply>;

/** Whether the model is asked as the deployer: nothing else of these stories needs its words. */
export const isDeployer = ({ toolNames }: Asked) => toolNames.includes("deployment_status");
/** The answer of a reviewer. */
export const NO_FINDING: ScriptedReply = {
  calls: [{ name: "complete", input: { summary: "Nothing.", findings: [] } }],
};

/** A repository whose merges go to production, with metrics, and a model that is asked for words on what happens there. */
export function deployerWorld() {
  const at = worldWithModel();
  let metrics: ScriptedMetrics;
  let folder: string;
  /** What a run of the workflow waits for. */
  let free: Promise<void> = Promise.resolve();
  afterEach(async () => {
    await metrics.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const comments = (number: number) => {
    const all = [...at.world.github.pullRequest(SHOP, number).comments];
    return all.filter(({ by }) => by === "forge[bot]").map(({ body }) => body);
  };
  const says = (number: number, text: string) => comments(number).some((body) => body.includes(text));
  const heard = (number: number, text: string) => until(() => says(number, text));
  const merged = async (title: string, path: string, text = CLEAN) => {
    const { number } = await openPull(at.world, { [path]: text }, { branch: path.slice(4, -3), title });
    await at.world.settled();
    return { number, sha: await at.world.github.mergePullRequest(SHOP, number, "ana") };
  };
  const say = (number: number, body: string) => at.world.github.comment(SHOP, number, { body, by: "ana" });
  const letGo = async (number: number) => {
    await heard(number, "be deployed to production?");
    const gate = /\/forge approve (G-\d+)/.exec(comments(number).find((body) => body.includes("**May `")) ?? "")?.[1];
    say(number, `/forge approve ${gate} it was looked at`);
  };
  return {
    at,
    ...{ comments, says, heard, say, merged, letGo },
    /** Holds each run of the workflow until what it returns is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      return resolve;
    },
    begin: async (script: Script | undefined, more = "") => {
      folder = mkdtempSync(join(tmpdir(), "forge-deployer-"));
      metrics = await startMetrics();
      const sources = join(folder, "sources.json");
      const watched = { prometheus: { url: metrics.url } };
      writeFileSync(sources, JSON.stringify({ repositories: { [SHOP]: { production: watched } } }));
      const files = {
        ".github/forge.yml": settings(more),
        [WORKFLOW]: "name: deploy\non: deployment\njobs:\n  deploy: { runs-on: ubuntu-latest }\n",
      };
      const world = await at.begin(script, files, { FORGE_SOURCES: sources });
      world.github.workflows(SHOP).on(WORKFLOW, () => free);
      const good = await merged("Add count", "src/count.ts");
      await letGo(good.number);
      await heard(good.number, "neither continues nor rolls back by itself");
      say(good.number, "/forge promote production the first one was looked at");
      await heard(good.number, "runs in production");
      await world.settled();
      return good;
    },
    /** Merges a version that fails a hundred times as often, and lets it go to production. */
    goBad: async (title: string, text?: string) => {
      const bad = await merged(title, "src/label.ts", text);
      metrics.bad.add(bad.sha);
      await letGo(bad.number);
      return bad;
    },
    /** The issue about the rollback, once it is there. */
    issueAfter: async (last: number) => {
      let found: ReturnType<typeof at.world.github.issue> | undefined;
      const look = (number: number) => {
        try {
          const issue = at.world.github.issue(SHOP, number);
          if (issue.title.includes("was rolled back in production")) found = issue;
        } catch {
          // The number is not an issue's.
        }
        return found !== undefined;
      };
      await until(() => look(last + 1) || look(last + 2));
      return () => at.world.github.issue(SHOP, found!.number);
    },
  };
}
