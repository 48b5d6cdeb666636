import { writeFileSync } from "node:fs";
import type { Way } from "../../../src/domain/deployments.ts";

/** What stands in the repository: settings by which a deployment takes seconds, and a workflow that deploys. */
export function repositoryFiles(way: Way, workflow: string): Readonly<Record<string, string>> {
  return {
    ".github/forge.yml": settings(way, workflow),
    [workflow]: way === "deployment" ? REACTS : DISPATCHED,
    "src/total.ts": TOTAL,
  };
}

const TOTAL =
  "export function total(prices: number[]): number {\n  return prices.reduce((sum, each) => sum + each, 0);\n}\n";

const settings = (way: Way, workflow: string) => `deploy:
  after_merge: production
  production:
    way: ${way}
    workflow: ${workflow}
    steps: [50, 100]
    bake_minutes: 0
    ask_minutes: 0
    probe_seconds: 1
    watch_minutes: 0.02
`;

const REACTS = "name: deploy\non: deployment\njobs:\n  deploy: { runs-on: ubuntu-latest }\n";
const DISPATCHED = `name: deploy
run-name: Deploy \${{ inputs.marker }}
on:
  workflow_dispatch:
    inputs:
      environment: { required: true }
      sha: { required: true }
      percentage: { required: true }
      task: { required: true }
      marker: { required: true }
jobs:
  deploy: { runs-on: ubuntu-latest }
`;

/** The operator's program: it logs what it deploys and says that it is under way. Only a look tells that it is done. */
export function writeProgram(file: string, { done, log }: { readonly done: string; readonly log: string }): void {
  const text = `#!${process.execPath}
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
const { action, marker, sha, percentage, task } = JSON.parse(readFileSync(0, "utf8"));
const file = ${JSON.stringify(`${done}/`)} + marker.run + "-" + marker.step;
if (action === "deploy") {
  appendFileSync(${JSON.stringify(log)}, [task, sha, percentage].join(" ") + "\\n");
  writeFileSync(file, "");
}
console.log(JSON.stringify({ state: action === "deploy" ? "running" : existsSync(file) ? "done" : "absent" }));
`;
  writeFileSync(file, text, { mode: 0o755 });
}
