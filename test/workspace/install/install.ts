import { installPackages, type PackageSource } from "../../../src/workspace/install/install-packages.ts";
import type { Sandbox } from "../../../src/workspace/sandbox/sandbox.ts";
import type { WorkingTree } from "../../../src/workspace/working-tree/working-tree.ts";
import { temporaryFolder } from "../sandbox-machine.ts";
import { signal } from "../working-tree/tree-fixture.ts";

/** Packages of a registry on this machine, kept in a folder of their own. */
export function sourceOf(host: string, env: Record<string, string>): PackageSource {
  return { root: temporaryFolder(), maxBytes: 1e9, registries: [host], env };
}

/** Installs what the tree asks for, and puts it there. */
export async function install(tree: WorkingTree, sandbox: Sandbox | undefined, source: PackageSource) {
  const outcome = await installPackages({ source, files: tree.files, sandbox, day: undefined, signal });
  if (!outcome.installed) return outcome;
  await tree.clone?.addPackages(outcome.packages.folder);
  await outcome.packages[Symbol.asyncDispose]();
  return { kept: outcome.packages.kept, notes: outcome.packages.notes };
}
