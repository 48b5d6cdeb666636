import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVED_OPERATIONS } from "../../simulator/served.ts";
import { startSimulator } from "../../simulator/start-simulator.ts";
import { aGitHub, type GitHub } from "./a-github.ts";

/** Enough for most operations to get past the schema, so that their handlers are reached. */
const ANY_BODY = {
  ...{ body: "x", content: "eyes", event: "COMMENT", head: "x", base: "main", message: "x", name: "x", title: "x" },
  ...{ labels: ["x"], state: "success", sha: "x".repeat(40), head_sha: "x", ref: "refs/heads/x", tree: [] },
};

let github: GitHub;
let token: string;
beforeAll(async () => {
  github = await aGitHub();
  token = await github.installationToken();
});
afterAll(() => github.stop());

function newFindings(from: number) {
  return github.simulator.referee.findings.slice(from);
}

describe("the referee", () => {
  it.each([
    ["an operation that does not exist", "GET", "/repos/acme/shop/nothing", undefined, true],
    ["a field of the wrong type", "POST", "/repos/acme/shop/check-runs", { name: 5, head_sha: "main" }, true],
    ["a missing field", "POST", "/repos/acme/shop/check-runs", { name: "forge/review" }, true],
    ["a value outside its list", "GET", "/repos/acme/shop/pulls?state=merged", undefined, true],
    ["a body field that GitHub ignores", "POST", "/repos/acme/shop/issues", { title: "x", label: "y" }, false],
    ["a query parameter that GitHub ignores", "GET", "/repos/acme/shop/pulls?order=asc", undefined, false],
  ])("finds %s", async (_, method, path, body, fatal) => {
    const before = github.simulator.referee.findings.length;
    const answer = await github.call(method, path, token, body);
    expect(newFindings(before)).toMatchObject([{ where: "request", fatal }]);
    expect(answer.status >= 400).toBe(fatal);
  });

  it("counts the requests that it has seen and finds nothing in good ones", async () => {
    const { findings, requests } = github.simulator.referee;
    const before = findings.length;
    for (const path of ["", "/pulls", "/issues", "/labels", "/contents/README.md", "/branches/main", "/commits/main"])
      expect((await github.call("GET", `/repos/acme/shop${path}`, token)).status).toBe(200);
    expect(newFindings(before)).toEqual([]);
    expect(github.simulator.referee.requests).toBe(requests + 7);
  });

  it("knows every operation that the simulator serves, and each of them is routed", async () => {
    const values: Record<string, string> = { owner: "acme", repo: "shop" };
    let own = await github.installationToken();
    for (const operation of SERVED_OPERATIONS) {
      const [method = "", template = ""] = operation.split(" ");
      const path = template.replace(
        /\{(\w+)\}/g,
        (_, name: string) => values[name] ?? (/_(id|number)$/.test(name) ? "1" : "x"),
      );
      const before = github.simulator.referee.findings.length;
      const answer = await github.call(method, path, own, method === "GET" ? undefined : ANY_BODY);
      if (operation === "DELETE /installation/token") own = await github.installationToken();
      const details = newFindings(before).map(({ detail }) => detail);
      expect(details, operation).not.toContain("no such operation is served");
      expect(details, operation).not.toContain("this operation is described but not mounted");
      expect(JSON.stringify(answer.body), operation).not.toContain("simulator bug");
    }
  });

  it("can be left out", async () => {
    const simulator = await startSimulator({ referee: false });
    await fetch(`${simulator.origin}/api/v3/nothing`);
    expect(simulator.referee).toEqual({ findings: [], requests: 0 });
    await simulator.stop();
  });
});
