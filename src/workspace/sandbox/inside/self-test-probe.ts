// Runs inside the sandbox: tries what a hostile program would try and prints what it achieved.
import { accessSync, constants, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type NetConnectOpts } from "node:net";
import { text } from "node:stream/consumers";
import type { ProbeReport, ProbeTargets } from "../probe-report.ts";

const CONNECT_TIME_MS = 1_000;

const targets = JSON.parse(await text(process.stdin)) as ProbeTargets;
const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
const report: ProbeReport = {
  ownWrite: succeeds(() => writeFileSync(targets.insideFile, targets.canary)),
  canarySeen: [JSON.stringify(process.env), ...processes.map(environmentOf)].some((seen) =>
    seen.includes(targets.canary),
  ),
  variables: Object.keys(process.env),
  processes: processes.length,
  readable: targets.hiddenPaths.filter(
    (path) => succeeds(() => readFileSync(path)) || succeeds(() => readdirSync(path)),
  ),
  writable: [
    ...targets.outsideFiles.filter((path) => succeeds(() => writeFileSync(path, targets.canary))),
    ...targets.guardedPaths.filter((path) => succeeds(() => accessSync(path, constants.W_OK))),
  ],
  reachable: [],
  identity: identity(),
};
const reachable = await Promise.all(
  targets.addresses.map(async (address) => ((await canConnect(address)) ? JSON.stringify(address) : [])),
);
process.stdout.write(JSON.stringify({ ...report, reachable: reachable.flat() }));

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

function identity(): string {
  const status = readFileSync("/proc/self/status", "utf8");
  const [, capabilities] = /^CapEff:\s+(\S+)/m.exec(status) ?? [];
  const [, filtered] = /^Seccomp:\s+(\S+)/m.exec(status) ?? [];
  const [, bound] = /^NoNewPrivs:\s+(\S+)/m.exec(status) ?? [];
  return [process.getuid?.(), process.getgid?.(), capabilities, bound, filtered].join(" ");
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

function canConnect(address: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: CONNECT_TIME_MS });
    const end = (connected: boolean) => {
      socket.destroy();
      resolve(connected);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}
