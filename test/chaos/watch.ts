import childProcess from "node:child_process";
import { readFileSync } from "node:fs";
import { type RequestListener, Server } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { createClient, type InStatement, type ResultSet } from "@libsql/client";
import type { Asked, Told } from "../../src/workspace/launcher.ts";

export type Reach = (name: string) => void;
type Batch = (statements: readonly InStatement[], mode?: string) => Promise<ResultSet[]>;

/** One client of each class: nothing is sent before it is asked for something. */
const CLIENTS = [":memory:", "http://127.0.0.1:1"] as const;

/** Every transaction goes through `batch`, and the tables are made by `migrate`; both are methods of the client's class. */
export function watchCommits(
  before: (statements: readonly InStatement[]) => void,
  after: (statements: readonly InStatement[], results: readonly ResultSet[]) => void,
): void {
  for (const url of CLIENTS) {
    const client = createClient({ url });
    const methods = Object.getPrototypeOf(client) as { batch: Batch; migrate: Batch };
    client.close();
    for (const name of ["batch", "migrate"] as const) {
      const original = methods[name];
      methods[name] = async function watched(this: unknown, statements, mode) {
        before(statements);
        const results = await original.call(this, statements, ...(mode === undefined ? [] : [mode]));
        after(statements, results);
        return results;
      };
    }
  }
}

/** Requests that write to GitHub; "after" is when the answer has come and nobody has seen it yet. */
export function watchFetch(reach: (name: string) => Promise<void>): void {
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const method = (init?.method ?? "GET").toUpperCase();
    if (method === "GET" || method === "HEAD") return original(input, init);
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    const name = `${method} ${path.replace(/^\/api\/v3/, "").replace(/\/repos\/[^/]+\/[^/]+/, "")}`.replace(
      /\d+/g,
      "n",
    );
    await reach(`before ${name}`);
    const response = await original(input, init);
    await reach(`after ${name}`);
    return response;
  };
}

/** Git writes, and programs in the sandbox. Forge's launcher starts them: what it is asked and what it tells is looked at. */
export function watchPrograms(reach: Reach): void {
  const original = childProcess.spawn as (...args: unknown[]) => childProcess.ChildProcess;
  const watched = (...args: unknown[]) => {
    const child = original(...args);
    const isLauncher = Array.isArray(args[1]) && String(args[1].at(-1)).endsWith("/src/workspace/launcher.ts");
    if (isLauncher) watchLauncher(child, reach);
    return child;
  };
  childProcess.spawn = watched as typeof childProcess.spawn;
  syncBuiltinESMExports();
}

/** "Before" a program is when nobody was asked to start it, "begun" when it runs, "after" when its end was told and nobody has heard of it yet. */
function watchLauncher(launcher: childProcess.ChildProcess, reach: Reach): void {
  const running = new Map<number, { readonly name: string; begun(): void }>();
  const send = launcher.send.bind(launcher) as (asked: Asked, ...more: unknown[]) => boolean;
  launcher.send = ((asked: Asked, ...more: unknown[]) => {
    const words = "start" in asked ? [asked.start.file, ...asked.start.args] : [];
    const name = nameProgram(words);
    if (!("start" in asked) || name === undefined) return send(asked, ...more);
    reach(`before ${name}`);
    let isBegun = false;
    const begun = () => {
      if (!isBegun) reach(`${name} begun`);
      isBegun = true;
    };
    running.set(asked.start.id, { name, begun });
    const sent = send(asked, ...more);
    void untilRuns(launcher.pid, words, () => !running.has(asked.start.id)).then(begun);
    return sent;
  }) as typeof launcher.send;
  launcher.on("message", (told: Told) => {
    const program = "ended" in told || "failed" in told ? running.get(told.id) : undefined;
    if (program === undefined) return;
    running.delete(told.id);
    program.begun();
    reach(`after ${program.name}`);
  });
}

/** Resolves when a child of the launcher runs what the words name behind those that set limits, or has ended. */
async function untilRuns(
  launcher: number | undefined,
  words: readonly string[],
  hasEnded: () => boolean,
): Promise<void> {
  const whole = `${words.join("\0")}\0`;
  const runs = () => {
    try {
      const children = readFileSync(`/proc/${launcher}/task/${launcher}/children`, "utf8").split(" ").filter(Boolean);
      return children.some((child) => isProgram(readFileSync(`/proc/${child}/cmdline`, "utf8")));
    } catch {
      // One that ended meanwhile, or a system without these files: its end is told.
      return false;
    }
  };
  const isProgram = (line: string) => /^[^\0]*\/(?:git|bwrap)\0/.test(line) && whole.endsWith(line);
  while (!hasEnded() && !runs()) await new Promise((resolve) => setTimeout(resolve, 2).unref());
}

/** Either may stand behind programs that limit it. */
function nameProgram(words: readonly string[]): string | undefined {
  const verb = words.find((word) => word === "fetch" || word === "init" || word === "push");
  if (words.some((word) => /(^|\/)git$/.test(word)) && verb) return `git ${verb}`;
  if (!words.some((word) => word.endsWith("/bwrap"))) return undefined;
  if (words.some((word) => word.endsWith("forward-to-proxy.ts"))) return "sandbox install";
  return words.includes("--test") ? "sandbox test" : undefined;
}

/** Between receipt of a webhook and its answer. */
export function watchWebhooks(reach: Reach): void {
  const original = Server.prototype.emit;
  Server.prototype.emit = function watched(this: Server, event: string | symbol, ...args: unknown[]) {
    if (event === "request") {
      const [request, response] = args as Parameters<RequestListener>;
      const name = request.headers["x-github-event"];
      if (typeof name === "string") {
        reach(`received webhook ${name}`);
        response.prependOnceListener("finish", () => reach(`answered webhook ${name}`));
      }
    }
    return original.apply(this, [event, ...args] as unknown as Parameters<typeof original>);
  } as typeof original;
}
