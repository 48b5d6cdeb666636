import { describe, expect, it } from "vitest";
import type { PlannedStep, StepHandle } from "../../src/domain/deployments.ts";
import { deployBench, FILE, SHOP } from "./deploy-host-kit.ts";

const bench = deployBench();
const simulated = () => bench.github.simulator;
const runs = () => simulated().workflows(SHOP).runs();

describe("DEP-2: a workflow that was started by a GitHub that does not tell its run", () => {
  const dispatched = (title: string) =>
    `run-name: ${title}\non: { workflow_dispatch: { inputs: { marker: {} } } }\njobs: { deploy: {} }\n`;

  it("is followed by its marker", async () => {
    const step = await bench.stepWith(dispatched(`Deploy \${{ inputs.marker }}`), "workflow_dispatch");
    expect(await bench.follow(step)).toEqual({ outcome: { is: "waiting" } });
    await bench.begin(step);
    const [run] = runs();
    expect(await bench.follow(step)).toMatchObject({ outcome: { is: "done" }, handle: { workflowRunId: run?.id } });
  });

  it("may be there where its runs do not name their marker", async () => {
    const step = await bench.stepWith(dispatched("Deploy"), "workflow_dispatch");
    await bench.begin(step);
    expect(await bench.follow(step)).toEqual({
      outcome: { is: "waiting" },
      unclear: expect.stringContaining("Cannot tell which run"),
    });
  });
});

describe("DEP-2: a deployment of which nobody says anything", () => {
  it.each([
    ["that no workflow took up has not begun", "never", undefined],
    ["that a workflow took up, which then ended well, may be there", "react", "took it up and said nothing"],
  ] as const)("%s", async (_what, conduct, unclear) => {
    const step = await bench.stepWith("on: deployment\njobs: { deploy: {} }\n", "deployment");
    simulated().workflows(SHOP).conduct(conduct);
    const seen = await bench.follow(step, await bench.begin(step));
    expect(seen.outcome.is).toBe("waiting");
    if (unclear === undefined) expect(seen.unclear).toBeUndefined();
    else expect(seen.unclear).toContain(unclear);
  });
});

describe("DEP-2: rules of GitHub's environment", () => {
  const inEnvironment = (on: string) => `on: ${on}\njobs: { deploy: { environment: production } }\n`;
  const WAYS = [
    ["deployment", inEnvironment("deployment")],
    ["workflow_dispatch", inEnvironment("{ workflow_dispatch: { inputs: { marker: {} } } }")],
  ] as const;
  const begun = async (
    way: (typeof WAYS)[number][0],
    workflow: string,
  ): Promise<{ step: PlannedStep; handle: StepHandle }> => {
    const step = await bench.stepWith(workflow, way);
    const begin = await bench.begin(step);
    return { step, handle: way === "deployment" ? begin : { workflowRunId: runs()[0]!.id } };
  };

  it.each(WAYS)("are waited for, by the names of the reviewers and the end of the timer: %s", async (way, workflow) => {
    const rules = { reviewers: ["ana"], teams: { ops: ["ben"] }, waitMinutes: 45 };
    simulated().createEnvironment(SHOP, "production", rules);
    const { step, handle } = await begun(way, workflow);
    const until = new Date(Math.floor(bench.clock / 1000) * 1000 + 45 * 60_000).toISOString();
    expect((await bench.follow(step, handle)).outcome).toMatchObject({
      ...{ is: "waiting", awaits: { reviewers: ["ana", "acme/ops"], until } },
      logUrl: expect.stringContaining("/actions/runs/"),
    });
    simulated().reviewDeployment(runs()[0]!.id, "ben");
    const { deploymentId } = handle;
    const log_url = `${simulated().origin}/acme/shop/actions/runs/${runs()[0]!.id}`;
    if (deploymentId !== undefined) simulated().setDeploymentStatus(deploymentId, "ben", { state: "success", log_url });
    expect((await bench.follow(step, handle)).outcome.awaits).toBeDefined();
    bench.clock += 45 * 60_000;
    simulated().passWaitTimers();
    await simulated().idle();
    expect((await bench.follow(step, handle)).outcome).not.toHaveProperty("awaits");
  });

  it.each(WAYS)("end the step where a reviewer says no, who is named: %s", async (way, workflow) => {
    simulated().createEnvironment(SHOP, "production", { reviewers: ["ana"] });
    const { step, handle } = await begun(way, workflow);
    simulated().reviewDeployment(runs()[0]!.id, "ana", "rejected", "not on a Friday");
    expect((await bench.follow(step, handle)).outcome).toMatchObject({
      ...{ is: "rejected", detail: "ana said no on GitHub: not on a Friday" },
    });
  });

  it.each(WAYS)("end the step where they do not let its branch deploy: %s", async (way, workflow) => {
    simulated().createEnvironment(SHOP, "production", { branches: ["release/*"] });
    const { step, handle } = await begun(way, workflow);
    const detail = 'Branch "main" is not allowed to deploy to production due to environment protection rules.';
    expect((await bench.follow(step, handle)).outcome).toMatchObject({ is: "rejected", detail });
  });
});

describe("DEP-2, B4: of all runs on the commit of a step, only its own is known", () => {
  it("is not one that a person sets off by a deployment of their own, whatever its payload", async () => {
    const step = await bench.stepWith("on: deployment\njobs: { deploy: {} }\n", "deployment");
    const handle = await bench.begin(step);
    const payload = { forge: { run: step.marker.run, step: 0 } };
    await simulated().createDeployment(SHOP, "ben", { ref: "main", environment: "production", payload });
    await simulated().idle();
    const [own, foreign] = runs();
    expect([own?.by, foreign?.by]).toEqual(["forge[bot]", "ben"]);
    expect(await bench.runsOf(step, handle)).toEqual([own?.id]);
    expect(await bench.runsOf(step)).toEqual([]);
    // What a person says of it ends nothing, whether it went well or not, and not even by a link to their own run.
    const log_url = `${simulated().origin}/acme/shop/actions/runs/${foreign?.id}`;
    simulated().setDeploymentStatus(handle.deploymentId!, "ben", { state: "success", log_url });
    expect(await bench.follow(step, handle)).toMatchObject({
      outcome: { is: "waiting", detail: expect.stringContaining("a status says success, which does not count") },
      unclear: expect.stringContaining("Have .github/workflows/deploy.yml deploy it and write the status"),
    });
    const failed = log_url.replace(/\d+$/, `${own?.id}`);
    simulated().setDeploymentStatus(handle.deploymentId!, "ben", { state: "failure", log_url: failed });
    expect((await bench.follow(step, handle)).outcome.is).toBe("waiting");
    simulated().setDeploymentStatus(handle.deploymentId!, "ben", {
      state: "success",
      log_url: log_url.replace(/\d+$/, `${own?.id}`),
    });
    expect(await bench.follow(step, handle)).toMatchObject({
      outcome: { is: "done" },
      handle: { workflowRunId: own?.id },
    });
  });

  it.each([FILE, undefined])(
    "is done once its run is over, and only by a success that its run stands behind (workflow: %s)",
    async (workflow) => {
      const named = await bench.stepWith("on: deployment\njobs: { deploy: {} }\n", "deployment");
      const step = { ...named, workflow };
      simulated().workflows(SHOP).conduct("late");
      const handle = await bench.begin(step);
      const say = (log_url: string) =>
        simulated().setDeploymentStatus(handle.deploymentId!, "ben", { state: "success", log_url });
      const [own] = runs();
      const link = `${simulated().origin}/acme/shop/actions/runs/${own?.id}`;
      const is = async () => (await bench.follow(step, handle)).outcome.is;
      say(link);
      expect(await is()).toBe("running");
      simulated().workflows(SHOP).release();
      await simulated().idle();
      expect(await is()).toBe("done");
      // Without a link it is of the one workflow that is named, and of no other.
      say("");
      expect(await is()).toBe("done");
    },
  );

  it.each([
    [FILE, "done"],
    [undefined, "waiting"],
  ])(
    "is meant by a success without a link only where its workflow is named (workflow: %s)",
    async (workflow, expected) => {
      const named = await bench.stepWith("on: deployment\njobs: { deploy: {} }\n", "deployment");
      const handle = await bench.begin(named);
      simulated().setDeploymentStatus(handle.deploymentId!, "ben", { state: "success" });
      expect((await bench.follow({ ...named, workflow }, handle)).outcome.is).toBe(expected);
    },
  );

  it("ends the step as its run ended, whatever a success on it says", async () => {
    const step = await bench.stepWith("on: deployment\njobs: { deploy: {} }\n", "deployment");
    simulated().workflows(SHOP).conduct("fail");
    const handle = await bench.begin(step);
    const log_url = `${simulated().origin}/acme/shop/actions/runs/${runs()[0]?.id}`;
    simulated().setDeploymentStatus(handle.deploymentId!, "ben", { state: "success", log_url });
    expect((await bench.follow(step, handle)).outcome).toMatchObject({
      ...{ is: "failed", detail: "the workflow ended with failure" },
    });
  });

  it("failed where the workflow says so, whatever a person says after it", async () => {
    const step = await bench.stepWith("on: deployment\njobs: { deploy: {} }\n", "deployment");
    const handle = await bench.begin(step);
    const log_url = `${simulated().origin}/acme/shop/actions/runs/${runs()[0]?.id}`;
    const say = (by: string, state: "failure" | "success") =>
      simulated().setDeploymentStatus(handle.deploymentId!, by, { state, log_url });
    say("github-actions[bot]", "failure");
    say("ben", "success");
    expect((await bench.follow(step, handle)).outcome.is).toBe("failed");
  });

  it("is not one that a person starts by hand, and none where the number is not known", async () => {
    const workflow = "on: { workflow_dispatch: { inputs: { marker: {} } } }\njobs: { deploy: {} }\n";
    const step = await bench.stepWith(workflow, "workflow_dispatch");
    await bench.begin(step);
    await simulated().dispatch(SHOP, "deploy.yml", "ben");
    await simulated().idle();
    const [own, foreign] = runs();
    expect((await bench.follow(step, { workflowRunId: own!.id })).outcome).not.toHaveProperty("ranOn");
    // The branch moved on before GitHub started it.
    const before = { ...step, sha: "b".repeat(40) };
    expect((await bench.follow(before, { workflowRunId: own!.id })).outcome).toMatchObject({
      ...{ is: "done", ranOn: step.sha },
    });
    expect(await bench.runsOf(step, { workflowRunId: own!.id })).toEqual([own?.id]);
    expect(await bench.runsOf(step, { workflowRunId: foreign!.id })).toEqual([]);
    expect(await bench.runsOf(step)).toEqual([]);
    expect((await bench.follow(step, { workflowRunId: foreign!.id })).outcome.is).toBe("foreign");
    const elsewhere = { ...step, workflow: ".github/workflows/other.yml" };
    expect((await bench.follow(elsewhere, { workflowRunId: own!.id })).outcome.is).toBe("foreign");
    expect(await bench.runsOf({ ...step, way: "program" }, { workflowRunId: own!.id })).toEqual([]);
  });
});
