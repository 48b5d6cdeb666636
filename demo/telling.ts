import type { Expectations } from "./expect.ts";
import type { Told } from "./implement/told.ts";
import type { Screen } from "./screen.ts";
import type { Stage } from "./stage.ts";
import type { Verdict } from "./verdict.ts";

/** What every chapter has at hand. */
export interface Telling {
  readonly stage: Stage;
  readonly screen: Screen;
  readonly expectations: Expectations;
  /** The numbers of the pull requests that were opened, filled while the story runs. */
  readonly opened: number[];
  /** What the check said after each step, filled while the story runs. */
  readonly verdicts: Verdict[];
  /** What models claimed and others refuted, as the log has it; filled while the story runs. */
  readonly refuted: string[];
  /** What became of the issue; filled while the story runs. */
  readonly told: Told;
}
