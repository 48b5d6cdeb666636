import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { SHOP } from "../e2e/implementer.ts";

/** A checkout of the small shop with one commit on `main`, and a folder for the runs on it. */
export interface Shop {
  readonly folder: string;
  readonly data: string;
  readonly git: (...args: string[]) => string;
  readonly write: (path: string, content: string) => void;
  readonly remove: () => void;
}

export function createShop(files: Readonly<Record<string, string>> = {}): Shop {
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
    env: { PATH: process.env.PATH ?? "", FORGE_OSV_URL: "", ...environment },
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
