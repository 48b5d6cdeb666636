import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { importTool } from "../../scripts/tools.ts";
import { itWithTools } from "../needs/programs.ts";
import { SYSTEM_CALLS_OF_SANDBOX } from "./sandbox-calls.ts";

const FOLDER = "deploy/kubernetes";
/** Where Kubernetes keeps the schema of each kind. */
const GROUPS = {
  Deployment: "apps/v1",
  NetworkPolicy: "networking.k8s.io/v1",
  PodDisruptionBudget: "policy/v1",
  ConfigMap: "v1",
  Namespace: "v1",
  Service: "v1",
};
type Models = Record<string, new (document: unknown) => { validate(): void }>;
const kustomization = parse(readFileSync(join(FOLDER, "kustomization.yaml"), "utf8"));
const documents = (kustomization.resources as string[]).flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), "utf8")).map((document) => document.toJS()),
);

interface Pod {
  readonly spec: Record<string, unknown> & {
    readonly terminationGracePeriodSeconds: number;
    readonly securityContext: Record<string, unknown>;
    readonly containers: readonly { readonly args: string[]; readonly securityContext: Record<string, unknown> }[];
  };
}
function podOf(name: string): Pod["spec"] {
  const found = documents.find((each) => each.kind === "Deployment" && each.metadata.name === name);
  return (found.spec.template as Pod).spec;
}

itWithTools("OPS-6: every manifest is one that Kubernetes takes, by its own schema, and none is left out", async () => {
  expect(kustomization.resources.toSorted()).toEqual(
    readdirSync(FOLDER)
      .filter((file) => file !== "kustomization.yaml")
      .sort(),
  );
  for (const document of documents) {
    const group = GROUPS[document.kind as keyof typeof GROUPS];
    const Model = ((await importTool(`kubernetes-models/${group}/${document.kind}.js`)) as Models)[document.kind]!;
    expect(() => new Model(document).validate(), `${document.kind} ${document.metadata.name}`).not.toThrow();
  }
});

it("OPS-6: web is as locked up as a pod can be, and a worker is but for what the sandbox needs", () => {
  const [web, worker] = [podOf("forge-web"), podOf("forge-worker")];
  for (const pod of [web, worker]) {
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 });
    const [forge] = pod.containers;
    expect(forge!.securityContext).toMatchObject({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ["ALL"] },
    });
    const config = documents.find(({ kind }) => kind === "ConfigMap").data;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(config.FORGE_SHUTDOWN_SECONDS));
    expect(config.DATABASE_URL).toMatch(/^http/);
  }
  expect(web.containers[0]!.args).toEqual(["start", "--role", "web"]);
  expect(web.securityContext.seccompProfile).toEqual({ type: "RuntimeDefault" });
  expect(web).not.toHaveProperty("hostUsers");

  expect(worker.containers[0]!.args).toEqual(["start", "--role", "worker"]);
  expect(worker.hostUsers).toBe(false);
  expect(worker.securityContext).toMatchObject({
    seccompProfile: { type: "Localhost", localhostProfile: "forge.json" },
    appArmorProfile: { type: "Unconfined" },
  });
  expect(worker.containers[0]!.securityContext.procMount).toBe("Unmasked");
});

it("OPS-6: no two versions run beside each other while one takes the place of the other", () => {
  const deployments = documents.filter(({ kind }) => kind === "Deployment");
  expect(deployments.map(({ spec }) => spec.strategy)).toEqual([{ type: "Recreate" }, { type: "Recreate" }]);
});

it("OPS-6: compose gives the sandbox what it needs, and nothing else", () => {
  const { forge } = parse(readFileSync("deploy/compose.yml", "utf8")).services;
  expect(forge).toMatchObject({ read_only: true, user: "65532:65532", cap_drop: ["ALL"] });
  expect(forge).not.toHaveProperty("privileged");
  expect(forge).not.toHaveProperty("cap_add");
  expect(forge.security_opt.toSorted()).toEqual([
    "apparmor=unconfined",
    "no-new-privileges:true",
    "seccomp=./seccomp.json",
    "systempaths=unconfined",
  ]);
});

it("SEC-1: the seccomp profile forbids what the sandbox forbids, but for what it takes to make one", () => {
  const profile = JSON.parse(readFileSync("deploy/seccomp.json", "utf8"));
  expect(profile).toMatchObject({ defaultAction: "SCMP_ACT_ALLOW", syscalls: [{ action: "SCMP_ACT_ERRNO" }] });
  const forbidden: string[] = profile.syscalls[0].names;
  const naming = ["sethostname", "setdomainname"];
  const toMakeOne = ["chroot", "clone3", "mount", "pivot_root", "umount2", "unshare", ...naming];
  // What has to be refused to programs of a project only, as nobody counts it there.
  const uncounted = ["memfd_create", "shmget", "semget", "msgget"];
  for (const name of toMakeOne) expect(forbidden).not.toContain(name);
  const others = SYSTEM_CALLS_OF_SANDBOX.filter((name) => ![...toMakeOne, ...uncounted].includes(name));
  expect(others.filter((name) => !forbidden.includes(name))).toEqual([]);
});
