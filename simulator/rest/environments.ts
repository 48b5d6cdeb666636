// https://docs.github.com/en/rest/deployments/environments, and what waits for the rules of one
import { answerRule, environmentOf, gatesOf, mayReview, type RuleAnswer, reviewGates } from "../actions/gates.ts";
import { notFound } from "../problem.ts";
import type { DeployEnvironment } from "../records.ts";
import { deploymentShape } from "../shapes/deployment.ts";
import {
  answerShape,
  branchPolicyShapes,
  customRuleShapes,
  environmentShape,
  pendingShape,
} from "../shapes/environment.ts";
import type { World } from "../world.ts";
import { runOf } from "./actions.ts";
import { actorOf, bodyOf, type Call, createRoutes, parameter, repositoryOf, requireApp } from "./call.ts";
import { pageOf } from "./pages.ts";

export function environmentRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo/environments";
  const find = (call: Call): DeployEnvironment => {
    const repository = repositoryOf(world, call, "actions", "read");
    const found = environmentOf(world, repository, parameter(call, "environment"));
    if (!found) throw notFound();
    return found;
  };

  routes.get(base, (call) => {
    const repository = repositoryOf(world, call, "actions", "read");
    const all = world.environments.filter((each) => each.repository === repository);
    const environments = pageOf(world, call, all).map((each) => environmentShape(world, each));
    return call.json({ total_count: all.length, environments });
  });
  routes.get(`${base}/:environment`, (call) => call.json(environmentShape(world, find(call))));
  routes.get(`${base}/:environment/deployment-branch-policies`, (call) => {
    const branch_policies = branchPolicyShapes(find(call));
    return call.json({ total_count: branch_policies.length, branch_policies });
  });
  routes.get(`${base}/:environment/deployment_protection_rules`, (call) => {
    const custom_deployment_protection_rules = customRuleShapes(world, find(call));
    const total_count = custom_deployment_protection_rules.length;
    return call.json({ total_count, custom_deployment_protection_rules });
  });

  const run = "/repos/:owner/:repo/actions/runs/:run";
  routes.get(`${run}/pending_deployments`, (call) => {
    const gates = gatesOf(world, runOf(world, call));
    const caller = call.get("caller");
    const mayApprove = (environment: DeployEnvironment) =>
      caller.kind === "user" &&
      gates.some((gate) => gate.environment === environment && gate.needsReview && mayReview(gate, caller.user));
    const waiting = new Map(gates.map((gate) => [gate.environment, gate]));
    return call.json([...waiting.values()].map((gate) => pendingShape(world, gate, mayApprove(gate.environment))));
  });
  routes.get(`${run}/approvals`, (call) => {
    const { answers = [] } = runOf(world, call);
    return call.json(answers.map((answer) => answerShape(world, answer)));
  });
  routes.post(`${run}/pending_deployments`, (call) => {
    const wanted = bodyOf<{ environment_ids: number[]; state: "approved" | "rejected"; comment: string }>(call);
    const environments = world.environments.filter(({ id }) => wanted.environment_ids.includes(id));
    const gates = reviewGates(world, runOf(world, call), { ...wanted, environments }, actorOf(call));
    const made = gates.flatMap(({ job }) => (job.deployment ? [deploymentShape(world, job.deployment)] : []));
    return call.json(made);
  });
  routes.post(`${run}/deployment_protection_rule`, (call) => {
    const app = requireApp(call);
    repositoryOf(world, call, "deployments", "write");
    const partly = world.faults.takeRequestFault(["partlyApplied"], call.get("facts")) !== null;
    answerRule(world, runOf(world, call), app, { ...bodyOf<RuleAnswer>(call), partly });
    return call.body(null, 204);
  });
  return routes;
}
