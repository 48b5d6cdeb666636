import { runTest } from "../cli/test.ts";
import { testFolder } from "../pipeline/testing/test-folder.ts";
import { readWorkConfig, secretsOfModels } from "./config.ts";
import { localPackages } from "./local-packages.ts";
import { workHere } from "./work-here.ts";

/** `forge test`: the tests of a folder of this machine, in the sandbox. */
export function testHere(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const config = readWorkConfig(environment);
  const secrets = secretsOfModels(config.models);
  return workHere({ name: "test", environment, secrets }, ({ output, scratchRoot, signal }) => {
    const packages = localPackages(config, scratchRoot);
    const place = { packages, scratchRoot, redact: output.redact, signal };
    return runTest(args, (request) => testFolder({ ...request, ...place }), output);
  });
}
