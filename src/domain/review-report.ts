import { z } from "zod";
import { Layer } from "./phases.ts";

/** What one layer of a review did. A layer that did not run, or not on everything, says why (GH-11a). */
export const LayerReport = z.object({
  layer: Layer,
  /** `ran`, `partly` (something was left out that it should have looked at), `failed`, `not_configured`. */
  state: z.enum(["ran", "partly", "failed", "not_configured"]),
  reason: z.string().optional(),
  tools: z.array(z.object({ name: z.string(), version: z.string(), files: z.number().int().nonnegative() })),
});
export type LayerReport = z.infer<typeof LayerReport>;

/** A changed file that was not looked at although it is part of the change, and why ("generated", "binary", "larger than 1 MB"). */
export const UncoveredFile = z.object({
  path: z.string(),
  reason: z.string(),
  /** Whether leaving it out is as intended (generated, binary, deleted) or a gap that the conclusion must show (GH-11a). */
  gap: z.boolean(),
});
export type UncoveredFile = z.infer<typeof UncoveredFile>;

/** What a review looked at, exactly on `headSha` (GH-11). */
export const ReviewCoverage = z.object({
  headSha: z.string(),
  baseSha: z.string(),
  mergeBaseSha: z.string(),
  files: z.number().int().nonnegative(),
  filesCovered: z.number().int().nonnegative(),
  addedLines: z.number().int().nonnegative(),
  addedLinesCovered: z.number().int().nonnegative(),
  uncovered: z.array(UncoveredFile),
  layers: z.array(LayerReport),
  /** Sentences a person should know: "the configuration at main is invalid, defaults were used: ...". */
  notes: z.array(z.string()),
});
export type ReviewCoverage = z.infer<typeof ReviewCoverage>;
