// Which issues a text closes when it reaches the default branch.
import type { Repository } from "../records.ts";
import { fullName, type World } from "../world.ts";

const KEYWORD = String.raw`\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+`;
const CODE = /```[\s\S]*?```|`[^`\n]*`/g;

export interface NamedIssue {
  /** "owner/name" in lower case. */
  readonly repository: string;
  readonly number: number;
}

/** Reads "Closes #1", "fixes owner/name#1" and "resolves <address of an issue>"; each issue needs its own keyword, and code is
 * not read. https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue */
export function issuesClosedBy(world: World, repository: Repository, text: string): NamedIssue[] {
  const origin = world.origin.replaceAll(".", "\\.");
  const place = String.raw`(?:([\w.-]+/[\w.-]+)?#|${origin}/([\w.-]+/[\w.-]+)/issues/)(\d+)\b`;
  const found = text.replace(CODE, " ").matchAll(new RegExp(KEYWORD + place, "gi"));
  return [...found].map(([, short, long, number]) => ({
    repository: (short ?? long ?? fullName(repository)).toLowerCase(),
    number: Number(number),
  }));
}
