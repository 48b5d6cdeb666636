import { POSTAGE } from "../github.ts";
import type { IssueAt } from "../implement/issue.ts";
import { FORGE, pullOf } from "../implement/look.ts";
import type { Stage } from "../stage.ts";

/** What Forge says on an issue and on its pull request, oldest first on each. */
export function said(stage: Stage, issue: IssueAt): string[] {
  const comments = [...stage.github.issue(POSTAGE, issue.number).comments, ...(pullOf(stage, issue)?.comments ?? [])];
  return comments.filter(({ by }) => by === FORGE).map(({ body }) => body);
}

/** The newest comment about a deployment of the issue to an environment, whose last line names the environment. */
function deploymentTo(stage: Stage, issue: IssueAt, environment: string): string {
  const texts = said(stage, issue).filter((body) => body.includes("<!-- forge:deploy:"));
  const name = new RegExp(`^${environment}, asked for by`, "im");
  return texts.findLast((body) => name.test(body)) ?? "";
}

/** What it says once it is over, however it ended. */
export function endOf(stage: Stage, issue: IssueAt, environment: string): string | undefined {
  const text = deploymentTo(stage, issue, environment);
  return /^\*\*(?:Deployed|Degraded|Rolled back|Not )/.test(text) ? text : undefined;
}

/** Every step that Forge has had deployed, oldest first: "production deploy 25 % 3f2c1ab". */
export function deployedSteps({ github }: Stage): string[] {
  const own = github.deployments(POSTAGE).filter(({ by }) => by === FORGE);
  return own.map(({ environment, task, sha, payload }) => {
    const { forge } = payload as { readonly forge: { readonly percentage: number } };
    return `${environment} ${task} ${forge.percentage} % ${sha.slice(0, 7)}`;
  });
}

/** Issues and pull requests that Forge opened, oldest first. */
export function openedByForge({ github }: Stage) {
  const all = [];
  for (let number = 1; ; number += 1) {
    try {
      all.push({ ...github.issue(POSTAGE, number), number });
    } catch {
      // There is none after the last one.
      return all.filter(({ by }) => by === FORGE);
    }
  }
}

/** The rows of the table of steps: "25 %: worse than the one before". */
export function verdicts(body: string): string[] {
  const rows = body.matchAll(/^\| (\d+ %) \| \w+ \| ([^|]+) \|$/gm);
  return [...rows].map(([, share, verdict]) => `${share}: ${verdict}`);
}
