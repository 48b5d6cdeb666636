import type { PlannedStep } from "../../../domain/deployments.ts";

/** Why GitHub does not begin a step, and what to do; `said` are GitHub's words, cleaned where they are shown. */
export function beginRefusal({ way, workflow, ref, environment }: PlannedStep, said: string): string {
  const end = /[.!?]$/.test(said) ? said : `${said}.`;
  if (way === "deployment") return `GitHub does not take the deployment to ${environment}: ${end}`;
  const file = workflow ?? "a workflow";
  if (/unexpected inputs|required input/i.test(said))
    return `GitHub does not start ${file}: ${end} It needs the inputs environment, sha, percentage, task and marker, and no other required one.`;
  if (/workflow_dispatch/i.test(said))
    return `GitHub does not start ${file}: ${end} It must be on ${ref} with the trigger workflow_dispatch.`;
  return `GitHub does not start ${file}: ${end}`;
}

/** GitHub does not let a step begin: a reviewer of its environment said no. */
export function refusedBy(login: string, comment: string): string {
  return `${login} said no on GitHub${comment === "" ? "" : `: ${comment}`}`;
}

/** A workflow took a step up and never said on its deployment how it went. */
export function silentRun({ environment }: PlannedStep, file: string): string {
  return `Cannot tell whether it is deployed: ${file} took it up and said nothing on the deployment. Give its job the line environment: ${environment}, or have it write a deployment status`;
}

/** A status of an end that counts for nothing. */
export function unverifiedStatus(state: string): string {
  return `a status says ${state}, which does not count: no run that Forge's deployment set off is behind it`;
}

/** All that says how a step went is such a status, and its time is over. */
export function onlyClaimed({ workflow }: PlannedStep, state: string): string {
  const whose = workflow ?? "a workflow with the trigger deployment";
  return `Cannot tell whether it is deployed: a status says ${state}, and no run that Forge's deployment set off is behind it. Have ${whose} deploy it and write the status; what another program deploys needs way: program`;
}

/** A run may have been started for a step, and nothing tells which of those that are there. */
export function unclearRun({ workflow, environment }: PlannedStep): string {
  return `Cannot tell which run of ${workflow ?? "the workflow"} deploys to ${environment}: the answer to starting it was lost, and its runs do not name their marker. Give the workflow the line run-name: Deploy \${{ inputs.marker }}`;
}
