import { z } from "zod";

/** What agents are asked for: it says why a model is waited for. */
export const ActivityPurpose = z.enum(["plan", "change", "review", "verification", "tests"]);
export type ActivityPurpose = z.infer<typeof ActivityPurpose>;

/** What a run does at the moment, for people who wait for it. Names in it come from models and repositories: data wherever they are shown. */
export const Activity = z.object({
  /** `thinking`: a model is asked. `checking` and `testing`: Forge itself runs compilers and tests. */
  doing: z.enum(["thinking", "tool", "checking", "testing"]),
  /** The model that is asked. */
  model: z.string().optional(),
  purpose: ActivityPurpose.optional(),
  tool: z.string().optional(),
  /** What the tool is about: a path, a pattern or a command. */
  about: z.string().optional(),
  /** Different files that the agent read since it last did something else than look around. */
  files: z.number().int().positive().optional(),
  /** Test files that are run. */
  testFiles: z.number().int().positive().optional(),
});
export type Activity = z.infer<typeof Activity>;
