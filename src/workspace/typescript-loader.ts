import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A loader for TypeScript with what Node alone does not run (enums, imports without an ending, `paths`), for projects that bring none:
 * Forge's own, as their tests see it too. Undefined where it is not made for this machine.
 */
export const TYPESCRIPT_LOADER = await find();

/** What has to be shown with it. */
export const LOADER_FOLDERS: readonly string[] = TYPESCRIPT_LOADER?.folders ?? [];

async function find(): Promise<{ readonly file: string; readonly folders: readonly string[] } | undefined> {
  try {
    const file = fileURLToPath(import.meta.resolve("@oxc-node/core/register"));
    const pirates = dirname(createRequire(file).resolve("pirates/package.json"));
    await import("@oxc-node/core");
    return { file, folders: [dirname(dirname(file)), pirates].filter((each) => existsSync(each)) };
  } catch {
    return undefined;
  }
}
