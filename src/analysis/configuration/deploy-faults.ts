import { ENVIRONMENTS } from "../../domain/deployments.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { GivenSettings } from "./parse-configuration.ts";

/** Settings that are each accepted and do not go together. */
export interface DeployFault {
  /** The setting to look at first. */
  readonly path: readonly string[];
  /** `error`: nothing is deployed, or not judged as it says. `warning`: less happens than the settings seem to say. */
  readonly severity: "error" | "warning";
  /** A sentence in Markdown. */
  readonly message: string;
}

/**
 * Queries that a file spells out, as it could in an earlier version: anyone who may change it would read any series of the operator's Prometheus.
 * @param given what the file sets
 */
export function queryFaults(given: GivenSettings): DeployFault[] {
  const deploy = recordOf(given.deploy);
  return ENVIRONMENTS.flatMap((name) => {
    const { queries } = recordOf(recordOf(deploy[name]).judge);
    const spelledOut = Array.isArray(queries) && queries.some((one) => typeof one === "object");
    if (!spelledOut) return [];
    const setting = `deploy.${name}.judge.queries`;
    const message = `The queries of \`${setting}\` are not asked as they are written here: only the operator of Forge writes PromQL. Name them here, such as \`queries: [orders]\`, and have the operator add them to the sources under that name.`;
    return [{ path: setting.split("."), severity: "error", message }];
  });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/**
 * What in a configuration keeps Forge from deploying as it says (DEP-2). The schema accepts all of it on purpose: it also reads what was stored, and
 * a fault here may come from two files.
 * @param hasFile whether the repository has a file; left out where that is not known
 */
export function deployFaults({ deploy, review }: RepoConfig, hasFile?: (path: string) => boolean): DeployFault[] {
  const { after_merge: until, staging } = deploy;
  const faults: DeployFault[] = [];
  if (until !== "nothing" && !deploy[until]) {
    const goes = until === "production" && staging ? "A merge goes to staging and no further" : "No merge is deployed";
    const message = `${goes}: \`deploy.after_merge\` is \`${until}\`, and there is no \`deploy.${until}\`.`;
    faults.push({ path: ["deploy", "after_merge"], severity: "error", message });
  }
  for (const name of ENVIRONMENTS) {
    const settings = deploy[name];
    if (!settings) continue;
    const { way, workflow, requires } = settings;
    if (way === "workflow_dispatch" && workflow === undefined) {
      const message = `Nothing can be deployed to ${name}: \`way: workflow_dispatch\` starts a workflow, and \`deploy.${name}.workflow\` does not say which.`;
      faults.push({ path: ["deploy", name, "way"], severity: "error", message });
    }
    if (way !== "program" && workflow !== undefined && hasFile?.(workflow) === false) {
      const message = `Nothing can be deployed to ${name}: there is no file \`${workflow.replaceAll("`", "'")}\` in this repository.`;
      faults.push({ path: ["deploy", name, "workflow"], severity: "error", message });
    }
    if (
      (name === "staging" ? until !== "nothing" : until === "production") &&
      requires.includes("tests") &&
      review.tests !== "always"
    ) {
      const when =
        review.tests === "never" ? "no tests run by themselves" : "tests run by themselves from medium risk on";
      const message = `Deployments to ${name} may wait for a person: \`deploy.${name}.requires\` has \`tests\`, and with \`review.tests: ${review.tests}\` ${when}. To change that, set \`review.tests: always\`, or \`requires: [review]\`.`;
      faults.push({ path: ["deploy", name, "requires"], severity: "warning", message });
    }
  }
  return faults;
}
