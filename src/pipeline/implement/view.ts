import type { Gate } from "../../domain/gates.ts";
import type { RunView } from "../runs/decision.ts";
import type { Implementation } from "./implementation.ts";

/** All that deciding about an issue may know of it. */
export interface IssueView extends RunView<Implementation> {
  /** Of all runs on the issue, oldest first. */
  readonly gates: readonly Gate[];
}
