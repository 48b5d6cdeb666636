import { chmod, link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ForgeError } from "../domain/errors.ts";
import { calledAs } from "../workspace/called-as.ts";
import type { RegisteredApp } from "./convert-code.ts";
import type { Place } from "./place.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Without these Forge has no App; they are all given by whoever starts it, or all kept. */
export const APP_VARIABLES = ["APP_ID", "PRIVATE_KEY", "PRIVATE_KEY_PATH", "WEBHOOK_SECRET"] as const;

export function appFileIn(dataDirectory: string): string {
  return join(dataDirectory, "app.env");
}

/** The App as the environment says it, with the address that it was told of, and of GitHub where it is not github.com. */
export function variablesOf(app: RegisteredApp, { host, protocol, address }: Place) {
  return {
    APP_ID: String(app.id),
    WEBHOOK_SECRET: app.webhookSecret,
    PRIVATE_KEY: app.privateKey.trim().replaceAll("\n", "\\n"),
    GITHUB_CLIENT_ID: app.clientId,
    GITHUB_CLIENT_SECRET: app.clientSecret,
    FORGE_URL: address,
    ...(host === undefined ? {} : { GHE_HOST: host, GHE_PROTOCOL: protocol }),
  };
}

/** As lines of an env file. Single quotes: what is in them is taken as it is. */
export function linesOf(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join("");
}

/**
 * Writes what is kept of an App: whole or not at all, for nobody else to read, and never over another.
 * @throws what the file system throws.
 */
export async function keepVariables(file: string, folder: string, variables: Variables): Promise<void> {
  await mkdir(folder, { recursive: true });
  const half = `${file}.${process.pid}.new`;
  try {
    const title = "# The App of this Forge, as npm start registered it. Keep it secret.";
    await writeWhole(half, `${title}\n${linesOf(variables)}`);
    await link(half, file);
  } finally {
    await rm(half, { force: true });
  }
}

/**
 * Writes more variables into what is kept of an App, whole or not at all.
 * @throws what the file system throws.
 */
export async function addVariables(file: string, variables: Variables): Promise<void> {
  const text = await readFile(file, "utf8");
  const half = `${file}.${process.pid}.new`;
  try {
    await writeWhole(half, `${text}${linesOf(variables)}`);
    await rename(half, file);
  } finally {
    await rm(half, { force: true });
  }
}

/** For nobody else to read, whatever the mask of this process. */
async function writeWhole(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(file, 0o600);
}

/** The App that was registered by the page; undefined where none was. @throws ForgeError where the file cannot be used. */
export async function readAppFile(file: string): Promise<Variables | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable(file, "cannot be read", `let the user that Forge runs as read it`, cause);
  }
  const kept = parseEnv(text);
  const missing = ["APP_ID", "WEBHOOK_SECRET", "PRIVATE_KEY"].filter((name) => !kept[name]);
  if (missing.length === 0) return kept;
  const remedy = `put it back from a backup, or move it away: \`${calledAs()} start\` then registers another App`;
  throw unusable(file, `has no ${missing.join(", ")}`, remedy);
}

function unusable(file: string, what: string, remedy: string, cause?: unknown): ForgeError {
  return new ForgeError("app_file_unusable", `${file}, where the App is kept, ${what}: ${remedy}.`, {
    ...{ source: "validation", severity: "critical", recoverability: "manual" },
    cause,
  });
}
