import { openSandbox } from "../../src/workspace/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import { describeNeeding, itNeeding } from "./needing.ts";

const opened = await openSandbox();
const missing = "unavailable" in opened ? `no sandbox: ${opened.unavailable}` : undefined;

/** For what is different without one and tested all the same. */
export const hasSandbox = missing === undefined;

/** `it` for tests in which programs of a repository are run. */
export const boxed = itNeeding(missing);

/** `describe` for the same. */
export const describeBoxed = describeNeeding(missing);

/** Tests of the sandbox itself. */
export function describeInSandbox(name: string, body: (sandbox: Sandbox) => void): void {
  describeBoxed(name, () => body(opened as Sandbox));
}
