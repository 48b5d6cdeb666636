import { openSandbox } from "../../src/workspace/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import { describeNeeding, itNeeding } from "./needing.ts";

const opened = await openSandbox();
/** Why there is none, if there is none. */
export const noSandbox = "unavailable" in opened ? `no sandbox: ${opened.unavailable}` : undefined;

/** For what is different without one and tested all the same. */
export const hasSandbox = noSandbox === undefined;

/** `it` for tests in which programs of a repository are run. */
export const boxed = itNeeding(noSandbox);

/** `describe` for the same. */
export const describeBoxed = describeNeeding(noSandbox);

/** Tests of the sandbox itself. */
export function describeInSandbox(name: string, body: (sandbox: Sandbox) => void): void {
  describeBoxed(name, () => body(opened as Sandbox));
}
