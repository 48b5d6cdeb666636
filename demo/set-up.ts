import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../simulator/free-port.ts";
import { type Simulator, startSimulator } from "../simulator/start-simulator.ts";
import { FORGE, groupOf, isReady } from "./forge-process.ts";
import { CHECK, fixture, PEOPLE, readTree, SHOP } from "./github.ts";
import type { Lifetime } from "./lifetime.ts";
import { startDemoModel } from "./model/demo-model.ts";
import type { Screen } from "./screen.ts";
import { until } from "./until.ts";

/** A person at a browser takes the time that it takes. */
const PERSON_MS = 3_600_000;
const FORGE_MS = 120_000;

/**
 * `npm run demo -- set-up` (OPS-5): Forge begins with nothing next to a GitHub on this machine, and the user of the demo sets it up in a browser.
 * Resolves when the user has seen enough.
 * @throws StoryFailed when Forge ends, or does not come so far
 */
export async function showSetUp({ place, signal, keep }: Lifetime, screen: Screen): Promise<void> {
  const github = keep(await startSimulator({ root: join(place.directory, "github") }));
  for (const login of PEOPLE) github.createAccount(login);
  github.createAccount("acme", "Organization", { members: { ana: "admin", ben: "member", mia: "member" } });
  await github.createRepository("acme", "shop", { files: await readTree(fixture("base")) });
  const model = keep(await startDemoModel({}));
  const began = performance.now();
  const forge = await startUnset(place, github, signal);
  keep(forge);
  const waiting = { signal, unless: forge.died };
  screen.step("A GitHub on this machine, and Forge next to it, which has no App yet");
  screen.say(
    `GitHub  ${github.origin}  simulated, with the organization acme and its repository ${SHOP}`,
    `Forge   ${forge.address}  started as by npm start, without any configuration`,
  );
  screen.step("Set it up in your browser");
  const link = await until("Forge prints a link", forge.link, { ...waiting, limitMs: FORGE_MS });
  screen.say(
    `Open       ${link}`,
    'Register   choose what Forge may do, and press "Register the App"; on GitHub press "Create GitHub App"',
    `Model      Claude with any key and the address ${model.variables.ANTHROPIC_BASE_URL}: a script in a model's place`,
    "Install    on acme; then sign in as ana: the page says what Forge found in the repository",
  );
  await until("the App is registered and Forge runs", () => isReady(forge.address), { ...waiting, limitMs: PERSON_MS });
  screen.step("Forge runs, with the App that you registered");
  await until("the App is installed", () => github.deliveries.some(({ event }) => event === "installation"), {
    ...{ ...waiting, limitMs: PERSON_MS },
  });
  screen.step("The App is installed, and ana opens a pull request");
  await github.commit(SHOP, "vouchers", {
    files: await readTree(fixture("head")),
    message: "Add vouchers",
    author: "ana",
  });
  const { number } = await github.openPullRequest(SHOP, { title: "Add vouchers", head: "vouchers", by: "ana" });
  const checkOf = () => github.pullRequest(SHOP, number).checkRuns.find(({ name }) => name === CHECK);
  await until("the first review", () => checkOf()?.conclusion, { ...waiting, limitMs: FORGE_MS });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const comments = github.pullRequest(SHOP, number).reviewComments.length;
  screen.say(
    `${github.origin}/${SHOP}/pull/${number}  ${checkOf()?.title ?? ""}, ${comments} comments`,
    `The first review came ${seconds} s after Forge was started. Ctrl-C ends the demo.`,
  );
  if (!signal.aborted) await Promise.race([once(signal, "abort"), forge.died]);
}

interface UnsetForge {
  readonly address: string;
  /** The link that it printed, once it is there. */
  link(): string | undefined;
  readonly died: Promise<never>;
  stop(): Promise<void>;
  kill(): void;
}

/** Forge without an App. What it prints is read here, as a person would at the terminal. */
async function startUnset(place: Lifetime["place"], github: Simulator, signal: AbortSignal): Promise<UnsetForge> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const home = place.directory;
  const child = spawn(process.execPath, [FORGE, "start"], {
    cwd: home,
    env: {
      ...{ PATH: process.env.PATH ?? "", HOME: home, TMPDIR: home, PORT: String(port), FORGE_URL: address },
      ...{ GHE_HOST: new URL(github.origin).host, GHE_PROTOCOL: "http", FORGE_DATA: join(home, "forge") },
      ...{ DATABASE_URL: `file:${join(home, "forge", "forge.db")}`, FORGE_DEBOUNCE_SECONDS: "0", FORGE_OSV_URL: "" },
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      appendFileSync(place.logFile, text);
      if (printed.length < 10_000) printed += text;
    });
  }
  const { died, stop, kill } = groupOf(child);
  signal.throwIfAborted();
  return { address, died, stop, kill, link: () => /http\S+\/set-up\?token=\S+/.exec(printed)?.[0] };
}
