import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedModel, type ScriptedReply, startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { CART, FORGETFUL } from "../e2e/cart.ts";
import { openPull } from "../e2e/pulls.ts";
import { createWorld, type World } from "../e2e/world.ts";
import { createPerson, type Person } from "./person.ts";

const THOUGHT = "The <b>cart</b> forgets the count\u202e.";
const TOKEN = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

describe("OPS-2, GH-12: what agents think, on the page of a run", () => {
  let model: ScriptedModel;
  let world: World;
  let path: string;

  const signedIn = async (login: string): Promise<Person> => {
    const person = createPerson(`http://127.0.0.1:${world.forge?.port}`);
    await person.signIn(login);
    return person;
  };
  const textOf = async (person: Person) => (await person.get(path)).text();

  beforeAll(async () => {
    model = await startScriptedModel(({ turn }): ScriptedReply => {
      const thinking = `${THOUGHT} ${TOKEN}`;
      if (turn === 0)
        return { thinking, text: "I look.", calls: [{ name: "read_file", input: { path: ".github/forge.yml" } }] };
      return { calls: [{ name: "complete", input: { summary: "Sums prices.", findings: [] } }] };
    });
    const files = { ...CART, ".github/forge.yml": "review:\n  ai: always\n" };
    world = await createWorld({ files, signIn: true, environment: model.environment });
    world.github.createAccount("tom");
    world.github.setRole("acme/shop", "tom", "read");
    await openPull(world, { "src/total.js": FORGETFUL }, { branch: "topic" });
    await world.settled();
    const ben = await signedIn("ben");
    path = /href="(\/runs\/[0-9A-Z]{26})"/.exec(await (await ben.get("/runs")).text())?.[1] ?? "";
  });
  afterAll(async () => {
    await world?.end();
    await model?.stop();
  });

  it("is shown step by step to people who may push, with the tools and what they gave, as text and without secrets", async () => {
    const page = await textOf(await signedIn("ben"));
    const [part = ""] = /<section id="thinking"[\s\S]*?<\/section>/.exec(page) ?? [];
    expect(part).toContain("What agents think");
    expect(part).toContain("The &lt;b&gt;cart&lt;/b&gt; forgets the count");
    expect(part).toContain("I look.");
    expect(part).toContain("Calls read_file");
    expect(part).toContain("{&quot;path&quot;:&quot;.github/forge.yml&quot;}");
    expect(part).toMatch(/Result<\/p><pre tabindex="0">[^<]*ai: always/);
    expect(part).toMatch(/id="step-[a-zA-Z0-9-]+-1"/);
    for (const hidden of ["<b>", "\u202e", TOKEN]) expect(page).not.toContain(hidden);
  });

  it("is shown to nobody else, and is nowhere on GitHub", async () => {
    const page = await textOf(await signedIn("tom"));
    expect(page).toContain("Timeline");
    for (const words of ["What agents think", "forgets the count", "I look."]) expect(page).not.toContain(words);
    const sent = JSON.stringify(world.github.requests) + JSON.stringify(world.github.pullRequest("acme/shop", 1));
    expect(sent).not.toContain("forgets the count");
  });
});
