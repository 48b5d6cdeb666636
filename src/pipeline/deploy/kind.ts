import { defined } from "../../domain/defined.ts";
import type { Input } from "../../domain/inputs.ts";
import type { Kind } from "../runs/kind.ts";
import { projectMemories } from "../runs/subject.ts";
import { decideDeployment } from "./decide.ts";
import { deployOn } from "./deploy-on.ts";
import type { Deployment } from "./deployment.ts";
import { evolveDeployment } from "./evolve.ts";
import { projectDeployment } from "./standing-of.ts";
import { type EnvironmentInput, type EnvironmentView, loadEnvironment } from "./view.ts";

/** Deployments to the environments of a repository. */
export const DEPLOY: Kind<EnvironmentInput, EnvironmentView, Deployment> = {
  name: "deploy",
  called: "a deployment",
  // Its comment is on a pull request or an issue. A version that is out always has a watcher (DEP-1).
  ...{ hears: "own_subject", urgent: true, request: false },
  ceilingUsd: ({ safety }) => safety.cost.deployment,
  wake: deployOn,
  owns: (input: Input): input is EnvironmentInput => input.subject.kind === "environment",
  ...{ load: loadEnvironment, decide: decideDeployment, evolve: evolveDeployment, show: projectDeployment },
  project: (_view, _input, events) => ({ ledger: [], repository: [], memories: projectMemories(events) }),
  checkpoint: {
    outputs: ({ deploy, configuration, observed, verified, gates, steps, back, end }) =>
      defined({
        ...{ deploy, configuration, observed, verified, back, end },
        ...{ gates: gates.length > 0 ? gates : undefined, steps: steps.length > 0 ? steps : undefined },
      }),
    whyNotBack: () => "it is a deployment: /forge deploy begins a new one, and /forge rollback goes back",
  },
};
