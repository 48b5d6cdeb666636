import { join } from "node:path";
import type { PackageSource } from "../workspace/install/install-packages.ts";
import { ownProgramsFolder } from "../workspace/sandbox/find-bubblewrap.ts";
import type { Config } from "./config.ts";

/**
 * Where packages of checkouts of this machine come from, and where they are kept: beside Forge's own programs, so that what is installed for
 * one checkout serves the next.
 * @param scratchRoot kept there where Forge has no folder of its own
 */
export function localPackages(
  {
    packageBytes: maxBytes,
    registries,
    packageSettings: env,
  }: Pick<Config, "packageBytes" | "registries" | "packageSettings">,
  scratchRoot: string,
): PackageSource {
  return { root: join(ownProgramsFolder() ?? scratchRoot, "packages"), maxBytes, registries, env };
}
