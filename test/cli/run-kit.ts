import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach } from "vitest";
import {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
import { runHere } from "../../src/app/run-here.ts";
import { roleOf, SHOP, turnsSoFar } from "../e2e/implementer.ts";
import { STARTED } from "../needs/started.ts";

/** A checkout of the small shop with one commit on `main`, and a folder for the runs on it. */
export interface Shop {
  readonly folder: string;
  readonly data: string;
  readonly git: (...args: string[]) => string;
  readonly write: (path: string, content: string) => void;
  readonly remove: () => void;
}

function createShop(files: Readonly<Record<string, string>> = {}): Shop {
  const place = mkdtempSync(join(tmpdir(), "forge-run-test-"));
  const folder = join(place, "shop");
  mkdirSync(folder);
  const identity = ["-c", "user.name=ana", "-c", "user.email=ana@example.com", "-c", "init.defaultBranch=main"];
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, ...identity, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  for (const [path, content] of Object.entries({ ...SHOP, ...files })) write(path, content);
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "Begin");
  return { folder, data: join(place, "data"), git, write, remove: () => rmSync(place, { recursive: true }) };
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** Resolves when the output so far has the text. */
  readonly said: (text: string) => Promise<void>;
  readonly ended: Promise<Ended>;
}

/** `forge` with these arguments, in a process of its own, with no variables but these. */
export function startForge(args: readonly string[], environment: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, [resolve("src/main.ts"), ...args], {
    cwd: tmpdir(),
    env: { ...STARTED, FORGE_OSV_URL: "", ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  const listeners = new Set<() => void>();
  const hear = () => {
    for (const listener of listeners) listener();
  };
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk;
    hear();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk;
    hear();
  });
  const ended = new Promise<Ended>((done) => {
    child.on("close", (code) => done({ code, out, err }));
  });
  const said = (text: string) =>
    new Promise<void>((done, fail) => {
      const look = () => {
        if (!out.includes(text) && !err.includes(text)) return;
        listeners.delete(look);
        done();
      };
      listeners.add(look);
      void ended.then(() => fail(new Error(`it ended without ${JSON.stringify(text)}:\n${out}\n${err}`)));
      look();
    });
  return { child, said, ended };
}

/** The same with what is typed, to its end. */
export function forge(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  typed = "",
): Promise<Ended> {
  const { child, ended } = startForge(args, environment);
  child.stdin?.end(typed);
  return ended;
}

/** `forge run` in this process, at a terminal where this is typed; `undefined` for one where nobody sits. */
export async function runAt(
  typed: string | undefined,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  let [out, err] = ["", ""];
  const input = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  input.end(typed ?? "");
  const terminal = {
    out: { write: (text: string) => (out += text) },
    err: { write: (text: string) => (err += text), isTTY: false },
    in: input,
    onInterrupt: () => () => {},
  };
  const variables = { FORGE_OSV_URL: "", ...environment };
  const code = await runHere(args, variables, terminal).catch((error: Error) => {
    err += `${error.name}: ${error.message}\n`;
    return 1;
  });
  return { code, out, err };
}

/** A shop for each test and the model that thinks for it, both gone afterwards. */
export function setUpShops() {
  const at: { shop: Shop; model: ScriptedModel | undefined } = { shop: undefined as unknown as Shop, model: undefined };
  beforeEach(() => {
    at.shop = createShop();
  });
  afterEach(async () => {
    at.shop.remove();
    await at.model?.stop();
    at.model = undefined;
  });
  return {
    at,
    /** Another shop, with these files beside the usual ones. */
    stock: (files: Readonly<Record<string, string>>) => {
      at.shop.remove();
      at.shop = createShop(files);
    },
    /** Starts the model; the variables that name it. */
    thinking: async (mind: (asked: Asked) => ScriptedReply | Promise<ScriptedReply>) => {
      at.model = await startScriptedModel(mind);
      return { ...at.model.environment };
    },
    onShop: (...args: string[]) => [...args, "--repo", at.shop.folder, "--data", at.shop.data],
    /** What was asked of the model, in order: who asked, after how many replies. */
    asked: () => (at.model?.asked ?? []).map((asked) => [roleOf(asked), turnsSoFar(asked)]),
  };
}

/** Of what runs code of the shop. */
