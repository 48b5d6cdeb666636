import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aGitHub, as, type GitHub, jwt } from "./a-github.ts";

let github: GitHub;
beforeAll(async () => {
  github = await aGitHub();
  await github.simulator.createRepository("acme", "vault", { files: { a: "a" } });
  github.simulator.addRepositories(github.installation, ["vault"]);
});
afterAll(() => github.stop());

describe("an App", () => {
  it("signs in with its JWT and finds its installation", async () => {
    expect(as(await github.call("GET", "/app", jwt()))).toMatchObject({
      id: 77,
      slug: "forge",
      installations_count: 1,
    });
    const found = await github.call("GET", "/repos/acme/shop/installation", jwt());
    expect(as(found)).toMatchObject({ id: github.installation.id });
  });

  it("is refused with a JWT that is forged, expired or valid for too long", async () => {
    const [head = "", claims = "", signature = ""] = jwt().split(".");
    const forged = `${head}.${claims}.${signature.split("").reverse().join("")}`;
    for (const token of [forged, jwt(-60), jwt(3600)])
      expect((await github.call("GET", "/app", token)).status).toBe(401);
  });

  it("cannot use its JWT where an installation token is needed", async () => {
    expect((await github.call("GET", "/repos/acme/shop/pulls", jwt())).status).toBe(404);
  });
});

describe("an installation token", () => {
  it("reaches only the repositories that it was narrowed to", async () => {
    const token = await github.installationToken({ repositories: ["shop"] });
    expect((await github.call("GET", "/repos/acme/shop", token)).status).toBe(200);
    expect((await github.call("GET", "/repos/acme/vault", token)).status).toBe(404);
    const listed = as<{ total_count: number }>(await github.call("GET", "/installation/repositories", token));
    expect(listed.total_count).toBe(1);
  });

  it("can do only what it was narrowed to", async () => {
    const token = await github.installationToken({ permissions: { issues: "read", metadata: "read" } });
    expect((await github.call("GET", "/repos/acme/shop/issues", token)).status).toBe(200);
    const written = await github.call("POST", "/repos/acme/shop/issues", token, { title: "no" });
    expect(written).toMatchObject({ status: 403, body: { message: "Resource not accessible by integration" } });
  });

  it("is not minted for more than the App was granted", async () => {
    await expect(github.installationToken({ permissions: { administration: "write" } })).rejects.toThrow("422");
    await expect(github.installationToken({ repositories: ["elsewhere"] })).rejects.toThrow("422");
  });

  it("is not minted, and stops working, while the installation is suspended", async () => {
    const token = await github.installationToken();
    github.simulator.suspendInstallation(github.installation);
    await expect(github.installationToken()).rejects.toThrow("403");
    expect((await github.call("GET", "/repos/acme/shop", token)).status).toBe(403);
    github.simulator.unsuspendInstallation(github.installation);
    expect((await github.call("GET", "/repos/acme/shop", token)).status).toBe(200);
  });
});

describe("a permission of a person", () => {
  it.each([
    ["ana", "write", "maintain"],
    ["ben", "write", "write"],
    ["tim", "read", "triage"],
    ["eve", "none", "none"],
  ])("of %s is %s in the old field and %s as role", async (login, permission, role) => {
    github.simulator.createAccount("tim");
    github.simulator.setRole("acme/shop", "tim", "triage");
    const token = await github.installationToken();
    const answer = await github.call("GET", `/repos/acme/shop/collaborators/${login}/permission`, token);
    const pushes = role === "maintain" || role === "write";
    expect(as(answer)).toMatchObject({ permission, role_name: role, user: { permissions: { push: pushes } } });
  });

  it("of a bot is none at all", async () => {
    const token = await github.installationToken();
    const answer = await github.call("GET", "/repos/acme/shop/collaborators/forge[bot]/permission", token);
    expect(answer.status).toBe(404);
  });
});
