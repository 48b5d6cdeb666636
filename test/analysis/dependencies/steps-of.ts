import {
  compareSteps,
  type LockPlace,
  type StepResult,
} from "../../../src/analysis/dependencies/drift/manifest-drift.ts";
import { lockFileOf } from "../../../src/analysis/dependencies/lock-files.ts";

/** Whether a lock file is in step with a manifest, which is that in its own folder where no other is named. */
export function stepsOf(
  manifest: string,
  name: string,
  text: string,
  { folder = "", ...place }: LockPlace & { readonly folder?: string } = {},
): StepResult {
  const reading = lockFileOf(name)!.read(text);
  const parsed = "fault" in reading ? {} : (reading.parsed ?? {});
  return compareSteps({ folder, text: manifest }, name, parsed, place);
}
