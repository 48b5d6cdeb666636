import { mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { type Simulator, startSimulator } from "../../simulator/start-simulator.ts";
import { registerHere } from "../../src/app/register-here.ts";
import { UsageError } from "../../src/cli/dispatch.ts";
import { NEEDED } from "../../src/github/permissions.ts";
import { readReturn } from "../../src/setup/register-file.ts";
import { until } from "../until.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
const ADDRESS = "https://forge.acme.example";

describe("OPS-5: forge register, on a machine without a browser", () => {
  let github: Simulator;
  let folder: string;
  let environment: Record<string, string>;
  beforeEach(async () => {
    github = await startSimulator();
    ends.push(() => github.stop());
    github.createAccount("ana");
    folder = mkdtempSync(join(tmpdir(), "forge-register-"));
    environment = { GHE_HOST: new URL(github.origin).host, GHE_PROTOCOL: "http", FORGE_DATA: join(folder, "data") };
  });

  function start(...args: string[]) {
    const input = new PassThrough();
    const err = new PassThrough();
    let said = "";
    err.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    const code = registerHere(["--address", ADDRESS, ...args], environment, { in: input, err, folder });
    const answer = async (question: string, line: string) => {
      await until(() => said.endsWith(question));
      said += "|";
      input.write(`${line}\n`);
    };
    return { code, answer, said: () => said, end: () => input.end() };
  }

  /** Opens the file on another machine, presses both buttons: the address at which that browser ends. */
  async function pressBoth(said: () => string): Promise<string> {
    // It is said when it is written.
    await until(() => said().includes("forge-register.html"));
    const page = readFileSync(join(folder, "forge-register.html"), "utf8");
    const plain = (text = "") => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    const action = plain(/action="([^"]+)"/.exec(page)?.[1]);
    const manifest = plain(/name="manifest" value="([^"]+)"/.exec(page)?.[1]);
    const made = await fetch(action.replace("/new?", "/new/confirmed?"), {
      method: "POST",
      body: new URLSearchParams({ manifest, name: JSON.parse(manifest).name, by: "ana" }),
      redirect: "manual",
    });
    return made.headers.get("location") ?? "";
  }

  it("registers by a file that is opened elsewhere and by the address to which it leads, and sets up a model", async () => {
    const model = await startScriptedModel(() => ({ text: "ok" }));
    ends.push(() => model.stop());
    const { code, answer, said } = start("--for", "review");
    const address = await pressBoth(said);
    expect(address.startsWith(`${ADDRESS}/set-up/registered?code=`)).toBe(true);
    await answer("address here: ", "https://forge.acme.example/");
    await answer("address here: ", address.replace(/state=[^&]+/, "state=other"));
    await answer("address here: ", address);
    await answer("no model: ", "gemini");
    await answer("no model: ", "claude");
    await answer("(not shown): ", "sk-good-key");
    await answer("own: ", "no address");
    await answer("default: ", "");
    await answer("no model: ", "Claude");
    await answer("(not shown): ", "sk-good-key");
    await answer("own: ", model.anthropicUrl);
    await answer("default: ", "claude-sonnet-5-5");
    expect(await code).toBe(0);
    for (const text of [
      "it has `?code=` in it",
      "That address is of another registration.",
      "Write claude or openai.",
      "The address has spaces",
      "The model anthropic/claude-sonnet-5-5 answers, in ",
      "/installations/new",
    ])
      expect(said()).toContain(text);
    expect(said()).not.toMatch(/BEGIN RSA|sk-good/);
    const file = join(folder, "data", "app.env");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parseEnv(readFileSync(file, "utf8"))).toMatchObject({
      ...{ FORGE_URL: ADDRESS, ANTHROPIC_API_KEY: "sk-good-key", ANTHROPIC_BASE_URL: model.anthropicUrl },
    });
    expect(github.referee.findings).toEqual([]);
    expect(
      await registerHere(["--address", ADDRESS], environment, {
        in: new PassThrough(),
        err: new PassThrough(),
        folder,
      }),
    ).toBe(1);
  });

  it("asks for exactly the permissions of the use, and keeps nothing where the input ends", async () => {
    const { code, end, said } = start();
    await pressBoth(said);
    const page = readFileSync(join(folder, "forge-register.html"), "utf8").replaceAll("&quot;", '"');
    expect(page).toContain(`"default_permissions":${JSON.stringify(NEEDED.implement.permissions)}`);
    end();
    expect(await code).toBe(1);
    expect(said()).toMatch(/\nforge: the input ended before an address was pasted, so nothing is kept here\.\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("writes the page over no file of the user to which a link of the repository leads", async () => {
    const own = join(folder, "own-file");
    writeFileSync(own, "precious");
    symlinkSync(own, join(folder, "forge-register.html"));
    const { code, said, end } = start();
    await until(() => said().includes("forge-register.html"));
    expect(readFileSync(join(folder, "forge-register.html"), "utf8")).toContain("<!doctype html>");
    end();
    expect(await code).toBe(1);
    expect(readFileSync(own, "utf8")).toBe("precious");
  });

  it("says what is wrong with an address, a use and a loopback machine, before anything is written", async () => {
    environment = { FORGE_DATA: join(folder, "data") };
    for (const [args, message] of [
      [["--address", "javascript:x"], "The address of Forge is "],
      [["--address", "http://127.0.0.1:3000"], "give the address of a tunnel with --address"],
      [["--address", ADDRESS, "--for", "everything"], "--for is one of review, implement, deploy"],
    ] as const) {
      const refused = registerHere([...args], environment, { in: new PassThrough(), err: new PassThrough(), folder });
      await expect(refused).rejects.toThrow(UsageError);
      await expect(refused).rejects.toThrow(message);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it("takes a code only with the state of this registration", () => {
    expect(readReturn("https://a.example/set-up/registered?code=c&state=s", "s")).toEqual({ code: "c" });
    for (const text of [
      "",
      "c",
      "https://a.example/?state=s",
      "https://a.example/?code=c",
      "https://a.example/?code=c&state=t",
    ])
      expect(readReturn(text, "s")).toHaveProperty("problem");
  });
});
