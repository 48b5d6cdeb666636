// An App that is registered by its manifest, and what GitHub refuses of one.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { Problem } from "../problem.ts";
import type { Account } from "../records.ts";
import { nextId, type World } from "../world.ts";
import { registerApp } from "./installations.ts";

const CODE_LIFETIME_MS = 60 * 60 * 1000;
const MOST_CALLBACKS = 10;
const LONGEST_NAME = 34;

/** https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest#github-app-manifest-parameters */
export interface Manifest {
  readonly name: string;
  readonly url: string;
  readonly redirect_url: string;
  readonly hook_attributes: { readonly url: string; readonly active?: boolean };
  readonly callback_urls?: readonly string[];
  readonly setup_url?: string;
  readonly default_permissions?: Readonly<Record<string, string>>;
  readonly default_events?: readonly string[];
}

/** Throws a Problem that says what is wrong. */
export function readManifest(text: string): Manifest {
  const manifest = parse(text);
  const addresses = [
    manifest.url,
    manifest.redirect_url,
    manifest.hook_attributes?.url,
    ...(manifest.callback_urls ?? []),
    ...(manifest.setup_url === undefined ? [] : [manifest.setup_url]),
  ];
  if (addresses.some((address) => !URL.canParse(String(address)))) throw invalid("an address is missing or wrong");
  if ((manifest.callback_urls ?? []).length > MOST_CALLBACKS) throw invalid("at most 10 callback URLs");
  return manifest;
}

function parse(text: string): Manifest {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null) return parsed as Manifest;
  } catch {
    // said below
  }
  throw invalid("it is not JSON");
}

function invalid(reason: string): Problem {
  return new Problem(422, `Invalid GitHub App configuration: ${reason}.`);
}

/** Registers the App; the code can be changed for its secrets, once and within an hour. */
export function registerManifest(world: World, owner: Account, manifest: Manifest): { readonly code: string } {
  const slug = manifest.name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  if (manifest.name === "" || manifest.name.length > LONGEST_NAME)
    throw invalid("the name must have 1 to 34 characters");
  if (world.apps.some((each) => each.slug === slug)) throw invalid("the name is already taken");
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const app = registerApp(world, owner, botOf(world, slug), {
    appId: nextId(world),
    slug,
    privateKey,
    webhookUrl: manifest.hook_attributes.active === false ? "" : manifest.hook_attributes.url,
    webhookSecret: randomBytes(20).toString("hex"),
    permissions: manifest.default_permissions ?? {},
    events: manifest.default_events ?? [],
    callbackUrls: manifest.callback_urls ?? [],
    ...(manifest.setup_url === undefined ? {} : { setupUrl: manifest.setup_url }),
  });
  const code = randomBytes(20).toString("hex");
  world.manifestCodes.set(code, { app, pem: privateKey, until: Date.now() + CODE_LIFETIME_MS });
  return { code };
}

function botOf(world: World, slug: string): Account {
  const login = `${slug}[bot]`;
  const email = `${login}@users.noreply.github.com`;
  const bot: Account = { id: nextId(world), login, type: "Bot", email, name: null, members: new Map() };
  world.accounts.set(login, bot);
  return bot;
}
