import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub, jwt, SECRET } from "./a-github.ts";

let github: GitHub;
afterEach(() => github.stop());

const comment = (body: string) => github.simulator.comment("acme/shop", 1, { by: "ana", body });

describe("a webhook", () => {
  it("is signed over its bytes and carries a GUID", async () => {
    github = await aGitHub();
    await github.aPullRequest();
    await github.simulator.idle();
    const opened = github.received.find(({ event }) => event === "pull_request");
    const signature = createHmac("sha256", SECRET)
      .update(opened?.text ?? "")
      .digest("hex");
    expect(opened?.headers["x-hub-signature-256"]).toBe(`sha256=${signature}`);
    expect(opened?.guid).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(opened?.payload).toMatchObject({ installation: { id: github.installation.id }, sender: { login: "ben" } });
    expect(github.simulator.referee.findings).toEqual([]);
  });

  it("that the App fails is not sent again by itself, but on demand under the same GUID", async () => {
    let answer = 500;
    github = await aGitHub({ appAnswer: () => answer });
    await github.aPullRequest();
    await github.simulator.idle();
    const before = github.received.length;
    expect(github.simulator.deliveries.at(-1)).toMatchObject({ status: "Invalid HTTP Response: 500", statusCode: 500 });
    answer = 202;
    type Listed = { id: number; guid: string; event: string; status_code: number }[];
    const failed = as<Listed>(await github.call("GET", "/app/hook/deliveries?status=failure&per_page=100", jwt()));
    const [newest] = failed;
    expect(newest).toMatchObject({ event: "pull_request", status_code: 500 });
    const attempt = await github.call("POST", `/app/hook/deliveries/${newest?.id}/attempts`, jwt());
    expect(attempt.status).toBe(202);
    await github.simulator.idle();
    expect(github.received).toHaveLength(before + 1);
    expect(github.received.at(-1)?.guid).toBe(newest?.guid);
    expect(github.simulator.deliveries.at(-1)).toMatchObject({ redelivery: true, status: "OK" });
  });

  it("times out when the App does not answer", async () => {
    github = await aGitHub({ webhookTimeoutMs: 2_000 });
    const { registered, simulator } = github;
    registered.webhookUrl = `${simulator.origin}/api/v3/rate_limit`;
    simulator.faults.add({ match: { path: /rate_limit/ }, kind: "hang" });
    simulator.openIssue("acme/shop", { title: "Slow", by: "ana" });
    await simulator.idle();
    expect(simulator.deliveries.at(-1)).toMatchObject({ event: "issues", status: "timed out", statusCode: 0 });
  });

  it("does not go to a suspended installation, nor to one without the repository", async () => {
    github = await aGitHub();
    github.simulator.suspendInstallation(github.installation);
    github.simulator.openIssue("acme/shop", { title: "Unheard", by: "ana" });
    github.simulator.unsuspendInstallation(github.installation);
    github.simulator.removeRepositories(github.installation, ["shop"]);
    github.simulator.openIssue("acme/shop", { title: "Unheard too", by: "ana" });
    github.simulator.uninstall(github.installation);
    await github.simulator.idle();
    expect(github.events()).toEqual([
      "installation.suspend",
      "installation.unsuspend",
      "installation_repositories.removed",
      "installation.deleted",
    ]);
    expect(github.simulator.referee.findings).toEqual([]);
  });

  it("is not subscribed to without its permission", async () => {
    github = await aGitHub();
    const { simulator } = github;
    const app = { appId: 5, slug: "other", webhookUrl: "", webhookSecret: SECRET, events: ["push"], permissions: {} };
    expect(() => simulator.createApp({ ...app, privateKey: "" })).toThrow(
      "the event push needs the permission contents",
    );
  });
});

describe("a webhook that goes wrong", () => {
  it("comes twice at once under one GUID", async () => {
    github = await aGitHub();
    await github.aPullRequest();
    github.simulator.faults.add({ match: { event: "issue_comment" }, kind: "duplicate", times: 1 });
    comment("hello");
    await github.simulator.idle();
    const [one, other] = github.received.filter(({ event }) => event === "issue_comment");
    expect(one?.guid).toBe(other?.guid);
  });

  it("comes after the one that followed it", async () => {
    github = await aGitHub();
    github.simulator.faults.add({ match: { event: "pull_request", action: "opened" }, kind: "reorder" });
    const { number } = await github.aPullRequest();
    await github.simulator.closePullRequest("acme/shop", number, "ben");
    await github.simulator.idle();
    expect(github.events().slice(-2)).toEqual(["pull_request.closed", "pull_request.opened"]);
  });

  it("comes after all when nothing follows it", async () => {
    github = await aGitHub();
    github.simulator.faults.add({ match: { event: "pull_request" }, kind: "reorder" });
    await github.aPullRequest();
    await github.simulator.idle();
    expect(github.events().at(-1)).toBe("pull_request.opened");
  });

  it("is dropped, and can be redelivered", async () => {
    github = await aGitHub();
    github.simulator.faults.add({ match: { event: "pull_request" }, kind: "drop", times: 1 });
    await github.aPullRequest();
    await github.simulator.idle();
    expect(github.events()).not.toContain("pull_request.opened");
    const dropped = github.simulator.deliveries.find(({ status }) => status === "timed out");
    github.simulator.redeliver(dropped?.id ?? 0);
    await github.simulator.idle();
    expect(github.events()).toContain("pull_request.opened");
  });

  it("is late, and idle waits for it", async () => {
    github = await aGitHub();
    await github.aPullRequest();
    github.simulator.faults.add({ match: { event: "issue_comment" }, kind: "delay", ms: 1_500, times: 1 });
    comment("late");
    comment("in time");
    await github.simulator.idle();
    const bodies = github.received.map(({ payload }) => (payload.comment as { body?: string } | undefined)?.body);
    expect(bodies.slice(-2)).toEqual(["in time", "late"]);
  });
});
