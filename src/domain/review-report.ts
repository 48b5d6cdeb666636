import { z } from "zod";
import { RunLimit } from "./command-arguments.ts";
import { Conclusion, Layer } from "./phases.ts";

/** A limit at which a review ended and that people can raise: which, and how high it is (USD, calls, minutes). */
export const MetLimit = z.object({ name: RunLimit, amount: z.number().positive() });
export type MetLimit = z.infer<typeof MetLimit>;

/** What one layer of a review did. A layer that did not run, or not on everything, says why (GH-11a). */
export const LayerReport = z.object({
  layer: Layer,
  /**
   * `ran`; `partly`: something was left out that it should have looked at; `failed`; `not_configured`; `not_needed`: the risk did not ask
   * for it; `waiting`: for somebody to trust an outsider's change with it (GH-8c).
   */
  state: z.enum(["ran", "partly", "failed", "not_configured", "not_needed", "waiting"]),
  reason: z.string().optional(),
  limit: MetLimit.optional(),
  /** Of the AI layer: findings shown by an executed test, and claims that were refuted before anybody saw them. */
  counts: z.object({ verified: z.number().int(), refuted: z.number().int() }).optional(),
  tools: z.array(z.object({ name: z.string(), version: z.string(), files: z.number().int().nonnegative() })),
});
export type LayerReport = z.infer<typeof LayerReport>;

/** A changed file that was not looked at although it is part of the change, and why ("generated", "binary", "larger than 1 MB"). */
export const UncoveredFile = z.object({
  path: z.string(),
  reason: z.string(),
  /** Whether leaving it out is as intended (generated, binary, deleted) or a gap that the conclusion must show (GH-11a). */
  gap: z.boolean(),
  /** Where only some lines of it were not looked at: those, on the side that will be there. */
  lines: z.array(z.object({ start: z.number().int().positive(), end: z.number().int().positive() })).optional(),
});
export type UncoveredFile = z.infer<typeof UncoveredFile>;

/** Why no advisory source was asked about a package that a change adds or updates. */
export const Unasked = z.enum([
  ...(["git", "url", "file", "link", "range", "unsaid", "limit", "ecosystem", "unanswered", "unconfigured"] as const),
  // Counted in files: nobody knows how many packages they name.
  ...(["lines", "files"] as const),
]);
export type Unasked = z.infer<typeof Unasked>;

/** Why no registry was asked whether it has a package. */
export const Unsought = z.enum(["private", "scope", "ecosystem", "limit", "unanswered"]);
export type Unsought = z.infer<typeof Unsought>;

/** Which names of packages registries were asked about. */
export const RegistryLookups = z.object({
  asked: z.number().int().nonnegative(),
  missing: z.number().int().nonnegative(),
  unasked: z.array(z.object({ why: Unsought, count: z.number().int().positive(), detail: z.string().optional() })),
});
export type RegistryLookups = z.infer<typeof RegistryLookups>;

/** What became of the packages that a change adds or updates: each is looked up where vulnerabilities are known, or counted with the reason. */
export const PackageLookups = z.object({
  asked: z.number().int().nonnegative(),
  /** Of those, from a registry that is not public: an advisory is about the public package of that name. */
  mirrored: z.number().int().positive().optional(),
  unasked: z.array(
    z.object({
      why: Unasked,
      count: z.number().int().positive(),
      /** Names of ecosystems, or what became of the request. */
      detail: z.string().optional(),
    }),
  ),
  /** Absent where no registry may be asked. */
  registries: RegistryLookups.optional(),
});
export type PackageLookups = z.infer<typeof PackageLookups>;

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
  /** What may run and was searched for secrets and disguises, and for nothing else: no analyser reads its language, and no model did. */
  searchedOnly: z.array(UncoveredFile.pick({ path: true, reason: true })).optional(),
  layers: z.array(LayerReport),
  /** Absent where the change adds and updates none. */
  packages: PackageLookups.optional(),
  /** Sentences a person should know: "the configuration at main is invalid, defaults were used: ...". */
  notes: z.array(z.string()),
});
export type ReviewCoverage = z.infer<typeof ReviewCoverage>;

/** A maintainer passed the check on this head, whatever it says. `by` is a login. */
export const Override = z.object({ by: z.string(), at: z.string(), reason: z.string() });
export type Override = z.infer<typeof Override>;

/** Who approved a head, or asks for changes on the pull request, of those whose word counts; logins. */
export const Judgement = z.object({
  approvedBy: z.string().optional(),
  rejectedBy: z.string().optional(),
  /** Who approved it of the architects, or of the maintainers where a repository names no architects. */
  architect: z.string().optional(),
  /** Teams of architects whose members Forge may not read. */
  unreadTeams: z.array(z.string()).optional(),
});
export type Judgement = z.infer<typeof Judgement>;

/** How it stands with the approving review that a high risk waits for; `by` is a login: of a person who approved while an architect is missing, too. */
export const Approval = z.object({
  is: z.enum(["wanted", "approved", "rejected"]),
  by: z.string().optional(),
  /** Whose review a critical risk waits for: one of these logins and teams, or a maintainer where there are none. Absent: any reviewer's. */
  architects: z.array(z.string()).optional(),
  unreadTeams: z.array(z.string()).optional(),
});
export type Approval = z.infer<typeof Approval>;

/** The head whose review counts for this one too, because the files are the same; `pull` where it is another subject's. */
export const Carried = z.object({ headSha: z.string(), pull: z.number().int().positive().optional() });
export type Carried = z.infer<typeof Carried>;

/** What the review of a pull request in a group of a merge queue came to (GH-8d). */
export const QueuedPull = z.object({
  number: z.number().int().positive(),
  headSha: z.string(),
  conclusion: Conclusion,
  blocking: z.number().int().nonnegative(),
  overridden: Override.optional(),
});
export type QueuedPull = z.infer<typeof QueuedPull>;

/** A claim of a model that did not become a finding (REV-4): for the log, never for the pull request. */
export const RejectedClaim = z.object({
  /** `ai/<kind>` */
  rule: z.string(),
  file: z.string(),
  line: z.number().int().positive(),
  claim: z.string(),
  /** Its code is not there, it is not part of the change, too few readers saw it, or it was refuted. */
  by: z.enum(["quote", "place", "vote", "verifier"]),
  reason: z.string(),
});
export type RejectedClaim = z.infer<typeof RejectedClaim>;
