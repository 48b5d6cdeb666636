import type { HandlerDependencies } from "./handler-dependencies.ts";
import { type Payload, ProtectionRuleEvent, parsePayload, repositoryRef } from "./payloads.ts";

/**
 * `deployment_protection_rule.requested`: jobs wait for Forge as the rule of an environment. Which run asks stands nowhere but in the
 * address to answer to; nothing is ever sent there, and it has to be the one that this repository and run have.
 */
export async function handleRuleRequested(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"deployment_protection_rule.requested">,
) {
  const event = parsePayload(ProtectionRuleEvent, payload);
  const repository = repositoryRef(event);
  const workflowRunId = runIn(event.deployment_callback_url, dependencies.apiUrl, repository);
  if (workflowRunId === undefined)
    return { ignored: "the address to answer to is not that of a run of this repository" };
  const sha = event.sha ?? event.deployment?.sha;
  if (sha === undefined) return { ignored: "the payload names no commit" };
  await dependencies.askRule(repository, { workflowRunId, environment: event.environment, sha });
  return {};
}

/** The number of the run, where the address is exactly the one that it has. */
function runIn(
  address: string,
  apiUrl: string,
  { owner, name }: { readonly owner: string; readonly name: string },
): number | undefined {
  const run = /\/actions\/runs\/([1-9]\d{0,14})\/deployment_protection_rule$/.exec(address)?.[1];
  const expected = `${apiUrl}/repos/${owner}/${name}/actions/runs/${run}/deployment_protection_rule`;
  return address.toLowerCase() === expected.toLowerCase() ? Number(run) : undefined;
}
