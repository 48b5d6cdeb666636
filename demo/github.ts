import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { type Simulator, startSimulator } from "../simulator/start-simulator.ts";

export const SHOP = "acme/shop";
/** Where an issue becomes a pull request. */
export const TALLY = "acme/tally";
/** What is deployed. */
export const POSTAGE = "acme/postage";
/** The check that Forge writes and that the protected branch asks for. */
export const CHECK = "forge/review";
/** What a repository says to Forge, on its default branch. */
export const CONFIGURATION = ".github/forge.yml";
const APP_ID = 4711;

/** The page that registers an App asks for exactly these parts of app.yml. */
const Manifest = z.object({
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
});

export interface GitHub {
  readonly simulator: Simulator;
  /** What the administrator copies from the App's page into Forge's environment. */
  readonly credentials: Readonly<
    Record<"APP_ID" | "PRIVATE_KEY" | "WEBHOOK_SECRET" | "GITHUB_CLIENT_ID" | "GITHUB_CLIENT_SECRET", string>
  >;
  /** Of ana, for git. */
  readonly token: string;
  /** The owner of the organization presses "Install". */
  install(): void;
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/seeded-shop/${name}`, import.meta.url));
}

function project(name: string): string {
  return fileURLToPath(new URL(`../fixtures/projects/${name}`, import.meta.url));
}

export const PEOPLE = ["ana", "ben", "mia"] as const;
/** What people may do in both repositories. */
const ROLES = { ana: "write", ben: "triage", mia: "maintain" } as const;

/**
 * A GitHub on this machine with the repositories of an organization, a third one where something is deployed, their main branches protected, and the App registered as app.yml says,
 * with the right to resolve conversations.
 */
export async function startGitHub(root: string, forgeAddress: string, deploys: boolean): Promise<GitHub> {
  const simulator = await startSimulator({ root });
  for (const login of PEOPLE) simulator.createAccount(login);
  simulator.createAccount("acme", "Organization", { members: { ana: "admin" } });
  await simulator.createRepository("acme", "shop", {
    // The first chapters are about what is found without a model.
    files: { ...(await readTree(fixture("base"))), [CONFIGURATION]: "review:\n  ai: never\n" },
    collaborators: ROLES,
  });
  await simulator.createRepository("acme", "tally", { files: await readTree(project("tally")), collaborators: ROLES });
  const repositories = [SHOP, TALLY];
  if (deploys) {
    await simulator.createRepository("acme", "postage", {
      files: await readTree(project("postage/base")),
      collaborators: ROLES,
    });
    repositories.push(POSTAGE);
  }
  for (const name of repositories) simulator.protectBranch(name, "main", { requiredChecks: [CHECK] });
  const manifest = Manifest.parse(parse(await readFile(new URL("../app.yml", import.meta.url), "utf8")));
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const webhookSecret = randomBytes(20).toString("hex");
  const app = simulator.createApp({
    appId: APP_ID,
    slug: "forge",
    owner: "acme",
    privateKey,
    webhookUrl: `${forgeAddress}/api/github/webhooks`,
    webhookSecret,
    // What app.yml offers for it: so Forge resolves the conversations about what was fixed.
    permissions: { ...manifest.default_permissions, contents: "write" },
    events: manifest.default_events,
    callbackUrls: [`${forgeAddress}/auth/callback`],
  });
  return {
    simulator,
    credentials: {
      ...{ APP_ID: String(APP_ID), PRIVATE_KEY: privateKey, WEBHOOK_SECRET: webhookSecret },
      ...{ GITHUB_CLIENT_ID: app.clientId, GITHUB_CLIENT_SECRET: app.clientSecret ?? "" },
    },
    token: simulator.createUserToken("ana"),
    install: () =>
      void simulator.installApp(app, "acme", { repositories: repositories.map((name) => name.split("/")[1] ?? "") }),
  };
}

export async function readTree(folder: string): Promise<Record<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [relative(folder, file), await readFile(file)] as const)),
  );
}
