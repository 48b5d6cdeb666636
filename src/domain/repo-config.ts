import { z } from "zod";

const names = z.array(z.string().min(1)).default([]);

/**
 * `.github/forge.yml` (CONF-1), as far as there is something to configure. Strict: an unknown key is a mistake that is reported, never
 * silently ignored.
 */
export const RepoConfig = z.strictObject({
  review: z
    .strictObject({
      /** Whether pull requests are reviewed without being asked. */
      on_pr: z.boolean().default(true),
      /** Whether drafts are reviewed; `/forge review` works on them either way. */
      drafts: z.boolean().default(false),
      /** Which findings become line comments: all above info, only blocking ones, or none (GH-10a). */
      comments: z.enum(["all", "blocking", "none"]).default("all"),
      /** At most this many line comments a review; the rest are annotations and in the summary (GH-10). */
      max_comments: z.number().int().min(0).max(50).default(20),
      /** Globs of paths: `include` (empty: everything) and `exclude`. */
      paths: z.strictObject({ include: names, exclude: names }).prefault({}),
      authors: z.strictObject({ exclude: names }).prefault({}),
      labels: z.strictObject({ exclude: names }).prefault({}),
      /** Base branches to review; empty: all. */
      base_branches: names,
    })
    .prefault({}),
});
export type RepoConfig = z.infer<typeof RepoConfig>;

export const DEFAULT_REPO_CONFIG: RepoConfig = RepoConfig.parse({});
