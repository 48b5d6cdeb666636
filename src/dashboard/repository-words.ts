import type { MemoriesFacts, Setting } from "../domain/told-facts.ts";

/** What the page of a repository says. */
export const REPOSITORY = {
  list: "Repositories",
  noneListed: "GitHub lists no repository for you on which this Forge is installed.",
  paused: (by: string) =>
    `Paused by ${by}: Forge begins nothing here until someone comments /forge unpause --repository.`,
  pulls: "Pull requests",
  noPulls: "Forge has reviewed no pull request here.",
  environments: "Environments",
  noEnvironments: "Forge has deployed nothing here.",
  unreadable: "The log of this environment has an event that this version of Forge cannot read. A newer version can.",
  runs: "runs",
  since: "since",
  unknown: "nothing that Forge brought there",
  healthy: "last healthy",
  held: (by: string) => `Held by ${by}`,
  newest: "Last deployment",
  until: "looked at until",
  next: "waiting after it",
  measured: "Measured",
  fresh: "New",
  before: "Before",
  verdict: "Verdict",
  level: "Level",
  levelIs: (level: number, does: string) => `Level ${level}: Forge ${does}.`,
  cap: (cap: number) => `The configuration allows no more than level ${cap}.`,
  toLevel: (level: number) => `To level ${level}`,
  record: "Record",
  missing: "Missing",
  set: "Level",
  saidOn: (name: string) => `The command is posted on ${name}, the latest conversation here, in your name.`,
  settings: "Configuration",
  settingsHow: "As Forge read it last. Settings that are not listed have their default.",
  allDefault: "Every setting has its default.",
  setting: "Setting",
  value: "Value",
  from: "From",
  dismissals: "Dismissals",
  noDismissals: "Nothing is dismissed for the repository.",
  by: "by",
  metrics: "Its metrics",
  memories: "Memories",
  memoriesHow: "What Forge remembers here, and whether the code that it rests on is still there",
  noMemories: "Nothing is known here. To teach something, comment /forge remember and a text.",
  moreMemories: (more: number) =>
    `${more.toLocaleString("en-US")} more: comment /forge memory and words that they are about.`,
  restsOn: "rests on",
  confidence: "confidence",
  expires: "until",
  archived: "put away, not used",
  back: "To the repository",
};

export const ORIGINS: Readonly<Record<Setting["from"], string>> = {
  default: "default",
  organisation: "organization",
  repository: ".github/forge.yml",
};

export const TAUGHT: Readonly<Record<MemoriesFacts["items"][number]["origin"], string>> = {
  model: "concluded by a model",
  person: "taught",
  outcome: "seen in production",
};

export const CITED: Readonly<Record<MemoriesFacts["items"][number]["cites"][number]["is"], string>> = {
  holds: "still there",
  changed: "changed since",
  gone: "gone, so it is not used",
  unread: "could not be read now",
};

/** How far a dismissal reaches. */
export function reachWords(scope: { readonly kind: "here" | "path" | "rule"; readonly glob?: string }): string {
  if (scope.kind === "here") return "this finding";
  return scope.kind === "rule" ? "the rule everywhere" : `the rule in ${scope.glob ?? ""}`;
}
