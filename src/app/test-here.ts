import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTest } from "../cli/test.ts";
import { testFolder } from "../pipeline/testing/test-folder.ts";
import { createRedactor } from "../safety/redact.ts";
import { removeFolder } from "../workspace/remove-folder.ts";
import { readWorkConfig, secretsOfModels } from "./config.ts";
import { localPackages } from "./open-local.ts";

/** `forge test`: the tests of a folder of this machine, in the sandbox. */
export async function testHere(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const config = readWorkConfig(environment);
  const scratchRoot = await mkdtemp(join(tmpdir(), "forge-test-"));
  // Where the sandbox has a user of its own, they have to get there.
  await chmod(scratchRoot, 0o711);
  const noColor = (environment.NO_COLOR ?? "") !== "";
  const redact = createRedactor(secretsOfModels(config.models));
  const packages = localPackages(config, scratchRoot);
  const place = { packages, scratchRoot, redact, signal: new AbortController().signal };
  const output = { out: process.stdout, err: process.stderr, noColor, redact };
  return runTest(args, (request) => testFolder({ ...request, ...place }), output).finally(async () => {
    if (!(await removeFolder(scratchRoot))) output.err.write(`forge: ${scratchRoot} could not be removed\n`);
  });
}
