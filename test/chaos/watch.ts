import childProcess from "node:child_process";
import { type RequestListener, Server } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { createClient, type InStatement, type ResultSet } from "@libsql/client";

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
export function watchFetch(reach: Reach): void {
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const method = (init?.method ?? "GET").toUpperCase();
    if (method === "GET" || method === "HEAD") return original(input, init);
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    const name = `${method} ${path.replace(/^\/api\/v3/, "").replace(/\/repos\/[^/]+\/[^/]+/, "")}`.replace(
      /\d+/g,
      "n",
    );
    reach(`before ${name}`);
    const response = await original(input, init);
    reach(`after ${name}`);
    return response;
  };
}

/** Git writes, and programs in the sandbox: processes of their own, some of which outlive a parent that is killed. */
export function watchPrograms(reach: Reach): void {
  const original = childProcess.spawn as (...args: unknown[]) => childProcess.ChildProcess;
  const watched = (...args: unknown[]) => {
    const name = nameProgram([args[0], ...(Array.isArray(args[1]) ? args[1] : [])].map(String));
    if (name === undefined) return original(...args);
    reach(`before ${name}`);
    const child = original(...args);
    reach(`${name} begun`);
    child.prependOnceListener("exit", () => reach(`after ${name}`));
    return child;
  };
  childProcess.spawn = watched as typeof childProcess.spawn;
  syncBuiltinESMExports();
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
