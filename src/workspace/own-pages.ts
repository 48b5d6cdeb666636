import { existsSync, readFileSync } from "node:fs";
import { gitEnvironment } from "./git-environment.ts";
import { GIT_LIMITS } from "./limits.ts";
import { runProgram } from "./run-program.ts";

const OWN_FOLDER = new URL("../../", import.meta.url);

/**
 * The address below which the documentation of this Forge can be read, such as `https://github.com/acme/forge/blob/HEAD/`: of the repository
 * that its package names, or that its checkout came from. Undefined where neither names one.
 */
export async function ownPages(): Promise<string | undefined> {
  const manifest = JSON.parse(readFileSync(new URL("package.json", OWN_FOLDER), "utf8")) as {
    readonly repository?: string | { readonly url?: string };
  };
  const { repository } = manifest;
  return pagesOf((typeof repository === "string" ? repository : repository?.url) ?? (await originOf()) ?? "");
}

/** Where a browser shows the files of a repository, by its address for git; undefined where that names no host. Without what signs in. */
export function pagesOf(address: string): string | undefined {
  const web = address.replace("git+", "").replace("ssh://", "https://");
  // git@github.com:acme/forge.git
  const [scp, host, path] = /^[\w.-]{1,100}@([\w.-]{1,250}):([\w./-]{1,500})$/.exec(web) ?? [];
  const given = scp === undefined ? web : `https://${host}/${path}`;
  if (!given.startsWith("https://") || !URL.canParse(given)) return undefined;
  const { hostname, pathname } = new URL(given);
  const [owner, name, ...more] = pathname.slice(1).split("/");
  if (!owner || !name || more.length > 0) return undefined;
  return `https://${hostname}/${owner}/${name.endsWith(".git") ? name.slice(0, -4) : name}/blob/HEAD/`;
}

/** The address that Forge's own checkout was cloned from. */
async function originOf(): Promise<string | undefined> {
  const config = new URL(".git/config", OWN_FOLDER);
  if (!existsSync(config)) return undefined;
  const { ok, stdout } = await runProgram({
    command: "git",
    args: ["config", "--file", "-", "--no-includes", "--get", "remote.origin.url"],
    cwd: "/",
    env: gitEnvironment("/nonexistent"),
    input: readFileSync(config),
    timeoutMs: GIT_LIMITS.timeMs,
    maxOutputBytes: 64 * 1024,
    memoryBytes: GIT_LIMITS.memoryBytes,
  });
  return ok ? stdout.toString("utf8").trim() : undefined;
}
