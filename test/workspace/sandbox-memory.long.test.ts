import { openSandboxWith } from "../../src/workspace/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { holdsFiles } from "./sandbox-machine.ts";

const opened = await openSandboxWith({ groups: false });

describeInSandbox("the memory of a sandbox without control groups (SEC-1)", () => {
  holdsFiles(opened as Sandbox);
});
