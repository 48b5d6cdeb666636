import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseConfiguration } from "../../src/analysis/configuration/parse-configuration.ts";
import { createWorld, type World } from "../e2e/world.ts";
import { createPerson, type Person } from "./person.ts";

const FILES = {
  "package.json": JSON.stringify({ name: "shop", scripts: { test: "vitest run" }, devDependencies: { vitest: "5" } }),
  "src/total.ts": "export const total = 1;\n",
  "src/total.test.ts": "import './total.ts';\n",
  "tools/a.lua": "print(1)\n",
};

describe("OPS-5: the page after the App was installed", () => {
  let world: World;
  let ana: Person;
  let eve: Person;
  const text = async (person: Person, path: string) => (await person.get(path)).text();
  const idOf = async (name: string) =>
    new RegExp(`/installed/(\\d+)">acme/${name}<`).exec(await text(ana, "/installed"))?.[1] ?? "";

  beforeAll(async () => {
    world = await createWorld({ files: FILES, signIn: true });
    await world.github.createRepository("acme", "told", {
      files: { ".github/forge.yml": "review: {}\n", "a.py": "a = 1\n" },
    });
    await world.github.createRepository("acme", "odd", {
      files: { "<b>.ts": "1;\n", "package.json": '{"name":"<script>"}' },
    });
    world.github.createAccount("eve");
    await world.settled();
    const home = `http://127.0.0.1:${world.forge?.port}`;
    [ana, eve] = [createPerson(home), createPerson(home)];
    await ana.signIn("ana");
    await eve.signIn("eve");
  }, 300_000);
  afterAll(() => world?.end());

  it("leads through sign-in back to the repositories of that installation", async () => {
    const path = `/installed?installation_id=${world.installation.id}&setup_action=install`;
    const bo = createPerson(`http://127.0.0.1:${world.forge?.port}`);
    expect((await bo.get(path)).status).toBe(401);
    expect(await bo.signIn("ana", path)).toContain(path);
    const page = await text(ana, path);
    expect([...page.matchAll(/<a href="\/installed\/\d+">([^<]+)</g)].map(([, name]) => name)).toEqual([
      "acme/odd",
      "acme/shop",
      "acme/told",
    ]);
    expect(await text(ana, "/installed?installation_id=999")).toContain(
      "GitHub lists no repository of this installation",
    );
  });

  it("says what was found, and offers a file that Forge accepts in GitHub's own editor", async () => {
    const page = await text(ana, `/installed/${await idOf("shop")}`);
    for (const said of [
      "<h1>Forge in acme/shop</h1>",
      "<dd>TypeScript (2 files), Lua (1 file); no static analyzer for Lua</dd>",
      "<dd>vitest, 1 file</dd>",
    ])
      expect(page).toContain(said);
    const [, href = ""] = /class="button" href="([^"]+)"/.exec(page) ?? [];
    const address = new URL(href.replaceAll("&amp;", "&"));
    expect(`${address.origin}${address.pathname}`).toBe(`${world.github.origin}/acme/shop/new/main`);
    expect(address.searchParams.get("filename")).toBe(".github/forge.yml");
    expect(parseConfiguration(address.searchParams.get("value") ?? "").ok).toBe(true);
    expect(address.href.length).toBeLessThan(7_500);
  });

  it("offers nothing where there is a file, and shows names of the repository as text", async () => {
    const told = await text(ana, `/installed/${await idOf("told")}`);
    expect(told).toContain("The repository has a .github/forge.yml");
    expect(told).not.toContain("Propose");
    const odd = await text(ana, `/installed/${await idOf("odd")}`);
    expect(odd).not.toMatch(/<script>|<b>/);
  });

  it("shows nobody a repository that GitHub does not list for them", async () => {
    const id = await idOf("shop");
    expect((await eve.get(`/installed/${id}`)).status).toBe(404);
    expect((await ana.get("/installed/999999")).status).toBe(404);
    expect((await ana.get("/installed/__proto__")).status).toBe(404);
    expect(await text(eve, "/installed")).not.toContain("acme");
  });
});
