import type { DeployRefusal, DeployStanding, Environment } from "../../../domain/deployments.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import { foreignCode, foreignLine, moment, shortSha, type Wording, withFullStop } from "../wording.ts";

/** Why a version is not deployed, and what to do: whole sentences. */
export function whyNotDeployed(why: DeployRefusal, environment: Environment): string {
  return REFUSED[why](environment);
}

const REFUSED: Readonly<Record<DeployRefusal, (environment: Environment) => string>> = {
  not_configured: (environment) =>
    `\`.github/forge.yml\` of the default branch has no \`deploy.${environment}\`, so Forge does not deploy there.`,
  not_merged: () => "The commit is not on the default branch. Merge it first.",
  not_reviewed: (environment) =>
    `It brings a pull request that Forge did not review. Have a person let it pass with \`/forge override forge/review <reason>\` on that pull request, then \`/forge deploy ${environment}\`.`,
  not_tested: (environment) => `Its tests are failing. Fix them, then comment \`/forge deploy ${environment}\`.`,
  blocking: (environment) =>
    `It brings a pull request with blocking findings. Fix them, or override the check there, then comment \`/forge deploy ${environment}\`.`,
  older: (environment) =>
    `It is behind what runs in ${environment}. To go back on purpose: \`/forge rollback ${environment}\``,
  held: (environment) => `${named(environment)} is held. To lift the hold: \`/forge release ${environment}\``,
  same: (environment) => `It runs in ${environment} already.`,
  not_accepted: () =>
    "The App lacks a permission that deploying needs here (`deployments: write`, and `actions: write` where Forge starts the workflow). Add it in the App's settings on GitHub; an owner then accepts it in the settings of the installed App.",
  no_such_beginning: () =>
    "The commit after `--from` is not there, or not before the one to be deployed. Name the commit that runs there now.",
  known_beginning: (environment) =>
    `Forge knows what runs in ${environment}, so \`--from\` is not taken. Without it: \`/forge deploy ${environment}\``,
  level: (environment) =>
    `At level 0 Forge deploys nothing by itself. To deploy it: \`/forge deploy ${environment}\` (maintain permission)`,
  gone: () => "The commit or the default branch is not there, or can no longer be read.",
};

/** "Production". */
export function named(environment: Environment): string {
  return environment === "production" ? "Production" : "Staging";
}

/** Refusals of commands about environments. */
export type DeployCommandRefusal = Extract<
  Refusal,
  {
    reason:
      | "unknown_environment"
      | "not_deployable"
      | "environment_held"
      | "deploying_already"
      | "not_held"
      | "nothing_to_go_back_to"
      | "going_back"
      | "nothing_to_promote"
      | "nothing_to_stop"
      | "worse";
  }
>;

/** Why a command about an environment was not carried out; undefined for every other refusal. */
export function aboutDeployment(refusal: Refusal, wording: Wording): string | undefined {
  switch (refusal.reason) {
    case "unknown_environment":
      return `${foreignCode(refusal.written, wording)} is not an environment. Did you mean \`${refusal.nearest}\`?`;
    case "not_deployable":
      return `Not deployed to ${refusal.environment}. ${whyNotDeployed(refusal.why, refusal.environment)}`;
    case "environment_held":
      return heldLine(refusal.environment, refusal.hold, wording);
    case "deploying_already":
      return `\`${shortSha(refusal.sha)}\` is being deployed to ${refusal.environment} already, or was asked for before. How far that is: \`/forge status\``;
    case "not_held":
      return `${named(refusal.environment)} is not held.`;
    case "nothing_to_go_back_to":
      return `There is no version to go back to in ${refusal.environment}: none was found healthy there, or the last healthy one runs. One that you choose: \`/forge deploy ${refusal.environment} <commit>\``;
    case "going_back":
      return `${named(refusal.environment)} is being rolled back already. How far that is: \`/forge status\``;
    case "nothing_to_promote":
      return `No step in ${refusal.environment} waits for a word. What is going on: \`/forge status\``;
    case "nothing_to_stop":
      return `Every step of the deployment to ${refusal.environment} has begun, so there is none left to stop. To go back: \`/forge rollback ${refusal.environment}\` (maintain permission)`;
    case "worse":
      return `The version is worse than the one before it, and nobody promotes past that. To go back now: \`/forge rollback ${refusal.environment}\``;
    default:
      refusal.reason satisfies Exclude<Refusal["reason"], DeployCommandRefusal["reason"]>;
      return undefined;
  }
}

/** That nothing is deployed to an environment, since when, by whom and why. */
export function heldLine(
  environment: Environment,
  { by, at, why }: NonNullable<DeployStanding["hold"]>,
  wording: Wording,
): string {
  return `**${named(environment)} is held** by ${foreignCode(by, wording)} since ${moment(at)}: ${withFullStop(foreignLine(why, wording))}\nNothing is deployed there until someone with maintain permission comments \`/forge release ${environment}\``;
}
