import type { LedgerEntry } from "../../domain/findings.ts";
import type { Gate } from "../../domain/gates.ts";
import type { FindingMoment } from "../../domain/told-facts.ts";
import type { RunView } from "../runs/decision.ts";
import type { RunState } from "./run-state.ts";
import type { SharedHead } from "./shared-head/sharer.ts";

/** All that deciding about a review may know. `latest` is read for a command, a reply and when the pull request is closed. */
export interface SubjectView extends RunView<RunState> {
  readonly ledger: readonly LedgerEntry[];
  /** For a command and when a review is suspended: the gates of all runs of the subject, oldest first. */
  readonly gates?: readonly Gate[];
  /** With them: the open gates of deployments whose comments are here: their numbers are taken. */
  readonly toldHere?: readonly Gate[];
  /** The head in question, where other pull requests have or had it too. */
  readonly shared?: SharedHead;
  /** For a command that names a finding: what happened to it, oldest first. */
  readonly history?: readonly FindingMoment[];
}
