import { Script, createContext, compileFunction } from "node:vm";
import { VM, NodeVM } from "vm2";
import { Worker } from "node:worker_threads";
import type { FastifyInstance } from "fastify";

const PLUGINS = ["csv", "json", "xml"] as const;

export default async function plugins(app: FastifyInstance) {
  app.post<{ Body: { code: string } }>("/script", async (request) => {
    // wrong: CWE-94 Script compiled from the body
    const script = new Script(request.body.code);
    return script.runInContext(createContext({}));
  });

  app.post<{ Body: { code: string } }>("/vm2", async (request) => {
    // wrong: CWE-94 vm2 is broken and abandoned
    return new VM({ timeout: 100 }).run(request.body.code);
  });

  app.post<{ Body: { code: string } }>("/node-vm", async (request) => {
    const sandbox = new NodeVM({ require: { external: true } });
    // wrong: CWE-94 foreign code with require
    return sandbox.run(request.body.code, "plugin.js");
  });

  app.get<{ Params: { name: string } }>("/format/:name", async (request) => {
    // wrong: CWE-94 module name from the path
    const format = await import(`./formats/${request.params.name}`);
    return format.default();
  });

  app.get<{ Params: { name: (typeof PLUGINS)[number] } }>("/known/:name", async (request, reply) => {
    const name = PLUGINS.find((one) => one === request.params.name);
    if (name === undefined) return reply.code(404).send();
    // right: CWE-94 name taken out of a list
    const format = await import(`./formats/${name}.ts`);
    return format.default();
  });

  app.post<{ Body: { body: string } }>("/compile", async (request) => {
    // wrong: CWE-94 compileFunction with a foreign body
    const fn = compileFunction(request.body.body, ["input"]);
    return fn(1);
  });

  app.post<{ Body: { code: string } }>("/worker", async (request) => {
    // wrong: CWE-94 worker that evaluates its text
    const worker = new Worker(request.body.code, { eval: true });
    return worker.threadId;
  });

  app.post<{ Body: { rows: number[] } }>("/worker-file", async (request) => {
    // right: CWE-94 worker of a fixed file, input as data
    const worker = new Worker(new URL("./sum-worker.ts", import.meta.url), { workerData: request.body.rows });
    return worker.threadId;
  });

  app.get("/add", async () => {
    // right: CWE-94 constant parameters and body
    const add = new Function("a", "b", "return a + b");
    return add(1, 2);
  });
}
