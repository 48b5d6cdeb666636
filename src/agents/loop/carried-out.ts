import type { NewEvent } from "../../domain/events.ts";
import type { End } from "./loop-state.ts";
import type { CallReport } from "./run-report.ts";

/** What one call came to: what the model reads, what is recorded, and the end of the loop where the call brought it. */
export interface CarriedOut {
  readonly text: string;
  readonly isError: boolean;
  readonly report: CallReport;
  readonly events: readonly NewEvent[];
  readonly end?: End;
}
