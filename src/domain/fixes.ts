import { z } from "zod";

/** A suggested fix that was asked for and is not in the commit, with why. */
export const FixLeftOut = z.object({
  findingId: z.string(),
  file: z.string(),
  why: z.enum([
    /** The finding is open no more. */
    "closed",
    /** There is no such text file on the head. */
    "no_file",
    /** The lines that it replaces do not stand there any more. */
    "changed",
    /** The lines that it replaces stand in several places. */
    "ambiguous",
    /** Another one, `what`, changes the same lines. */
    "overlaps",
    /** With it the file would not parse, or would have an error of types that it has not now. */
    "breaks",
    /** It would bring a secret. */
    "secret",
    /** The file, which is `what`, decides what runs or who must agree. */
    "governing",
  ]),
  what: z.string().optional(),
});
export type FixLeftOut = z.infer<typeof FixLeftOut>;

/** A commit of suggested fixes that waits to be pushed. */
export const PreparedFix = z.object({
  branch: z.string(),
  /** The head that it was made for. */
  onto: z.string(),
  headSha: z.string(),
  /** Ids of findings. */
  applied: z.array(z.string()),
  left: z.array(FixLeftOut),
});
export type PreparedFix = z.infer<typeof PreparedFix>;
