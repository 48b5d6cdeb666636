import { randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { connect, createServer, type ListenOptions, type NetConnectOpts, type Server } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CODE_ENDING } from "../../domain/code-ending.ts";
import { contains } from "../path-text.ts";
import { removeFolder } from "../remove-folder.ts";
import { makeTemporary } from "../scratch.ts";
import { complaints, type ProbeReport, type ProbeTargets } from "./probe-report.ts";
import { BOX_FOLDER, type SandboxResult, type SandboxSpec } from "./sandbox.ts";
import { socketPath } from "./socket-path.ts";

const INSIDE_FOLDER = fileURLToPath(new URL("./inside", import.meta.url));

const PROBE_LIMITS = {
  timeoutMs: 30_000,
  cpuSeconds: 10,
  memoryBytes: 512 * 1024 * 1024,
  maxProcesses: 64,
  maxOutputBytes: 64 * 1024,
  maxFileBytes: 64 * 1024,
};

const MAX_HIDDEN_PATHS = 200;

/** Holds a secret of ours for the time of the test, and is the variable's name in Forge's own environment. */
const CANARY_VARIABLE = "FORGE_SANDBOX_CANARY";

/**
 * Tries from inside what must not be possible, with targets that Forge itself can reach at this moment: a probe that achieves nothing
 * against dead targets would prove nothing.
 * @param run runs a program the way project code would be run
 * @returns why no project code may be run this way, in words; undefined when the sandbox holds
 */
export async function selfTest(run: (spec: SandboxSpec) => Promise<SandboxResult>): Promise<string | undefined> {
  const outside = await makeTemporary("self-test");
  const writable = join(outside, "writable");
  const servers = [createServer(), createServer(), createServer()] as const;
  const canary = randomUUID();
  process.env[CANARY_VARIABLE] = canary;
  try {
    await mkdir(writable);
    const targets = await prepareTargets(outside, servers, canary);
    const result = await run({
      ...PROBE_LIMITS,
      command: "node",
      args: [join(INSIDE_FOLDER, `self-test-probe${CODE_ENDING}`)],
      writable,
      readOnly: [INSIDE_FOLDER],
      input: JSON.stringify(targets),
    });
    if (!result.ok) return `The self-test of the sandbox did not run: ${lastWords(result)}`;
    const found = complaints(JSON.parse(result.stdout.toString()) as ProbeReport);
    if ((await readFile(join(writable, "inside"), "utf8").catch(() => "")) !== canary) {
      found.push("what is written in the writable folder does not arrive");
    }
    return found.length === 0 ? undefined : `The sandbox does not hold: in it, ${found.join("; ")}.`;
  } finally {
    delete process.env[CANARY_VARIABLE];
    for (const server of servers) server.close();
    await removeFolder(outside);
  }
}

async function prepareTargets(
  outside: string,
  servers: readonly [Server, Server, Server],
  canary: string,
): Promise<ProbeTargets> {
  // Open to everybody, so that nothing but the sandbox keeps the probe out.
  await chmod(outside, 0o777);
  const secretFile = join(outside, "secret");
  await writeFile(secretFile, canary);
  const [tcp, unix, abstract] = servers;
  const addresses: NetConnectOpts[] = [
    await listen(tcp, { host: "127.0.0.1", port: 0 }),
    await listen(unix, { path: socketPath(outside, "socket"), writableAll: true }),
    await listen(abstract, { path: `\0forge-${canary}` }),
  ];
  await Promise.all(addresses.map(mustConnect));
  return {
    canary,
    insideFile: join(BOX_FOLDER, "inside"),
    hiddenPaths: [secretFile, "/etc/shadow", "/etc/hostname", ...(await hiddenEntries())],
    outsideFiles: [join(outside, "written"), secretFile],
    guardedPaths: ["/", "/dev", "/etc", "/etc/passwd", "/usr"],
    addresses,
  };
}

/** A home at these places is the sandbox's own. */
const OWN_PLACES = ["/", "/tmp"];

/** What lies in folders of the machine, but for the way to what is shown on purpose: Forge itself may stand in somebody's home. */
async function hiddenEntries(): Promise<string[]> {
  const folders = ["/run", "/var", "/home", ownHome()].filter((path) => !OWN_PLACES.includes(path));
  const entries = await Promise.all(
    folders.map((folder) =>
      readdir(folder).then(
        (names) => names,
        () => [],
      ),
    ),
  );
  const paths = entries.flatMap((names, index) => names.map((name) => join(folders[index]!, name)));
  return paths.filter((path) => !contains(path, INSIDE_FOLDER)).slice(0, MAX_HIDDEN_PATHS);
}

function ownHome(): string {
  try {
    return homedir();
  } catch {
    // A user without an account, as services often have.
    return "/";
  }
}

function listen(server: Server, options: ListenOptions): Promise<NetConnectOpts> {
  server.on("connection", (socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => {
      const address = server.address();
      if (address === null || typeof address === "string") return resolve({ path: options.path ?? "" });
      resolve({ host: address.address, port: address.port });
    });
  });
}

function mustConnect(address: NetConnectOpts): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve();
    });
    socket.once("error", reject);
  });
}

function lastWords(result: SandboxResult): string {
  if (result.limitHit !== undefined) return `it passed its limit of ${result.limitHit}.`;
  const said = result.stderr.toString().trim().split("\n").slice(-3).join(" ").slice(0, 300);
  return said === "" ? `exit code ${result.code}.` : said;
}
