import type { PauseScope } from "../../domain/event-catalogue.ts";
import type { Override } from "../../domain/review-report.ts";
import { codeSpan } from "../../safety/code-text.ts";
import { neutraliseText } from "../../safety/neutralise.ts";
import type { Redact } from "../../safety/redact.ts";
import { redactBeginning } from "../../safety/redact-beginning.ts";
import { visibleText } from "../../safety/visible-text.ts";
import { pathUri } from "../../workspace/path-text.ts";

/** What all words depend on, whatever they say. */
export interface Wording {
  /** Hosts that text by others may link to (GH-15). */
  readonly allowedHosts: readonly string[];
  readonly redact: Redact;
  /** Address of GitHub's pages, without a slash at its end: "https://github.com". */
  readonly origin?: string;
  /** Address of this Forge's pages, an origin; absent where there are none. */
  readonly pages?: string;
  /** Where the files of a commit are shown: "https://github.com/acme/shop/blob/3f2c1ab…". Places are links where it is known. */
  readonly filesUrl?: string;
}

/** The same words, with links to the files of a commit. */
export function linkingFiles(
  wording: Wording,
  { owner, name }: { readonly owner: string; readonly name: string },
  sha: string,
): Wording {
  const { origin } = wording;
  if (origin === undefined) return wording;
  return { ...wording, filesUrl: `${origin}/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/blob/${sha}` };
}

/** Text by a model, an analyzer or the repository, as Markdown that can do nothing (GH-15, SEC-6). */
export function foreign(text: string, wording: Wording, maximum = 1000): string {
  return neutraliseText(cut(redactBeginning(text.trim(), wording.redact), maximum), wording);
}

/** The same on one line; for a cell with `table`. */
export function foreignLine(text: string, wording: Wording, { table = false, maximum = 300 } = {}): string {
  const line = cut(redactBeginning(text.trim(), wording.redact), maximum);
  return neutraliseText(line, { allowedHosts: wording.allowedHosts, inline: true, table });
}

/** A name by others (path, rule, login) as code. */
export function foreignCode(text: string, wording: Wording, { table = false } = {}): string {
  return codeSpan(cut(redactBeginning(text, wording.redact), 300), { table });
}

/** "[`src/run.ts:31`](…)": a place that leads to the lines of the commit, where `wording` knows their address. */
export function placeLink(file: string, line: number | undefined, wording: Wording, { table = false } = {}): string {
  const code = foreignCode(line === undefined ? file : `${file}:${line}`, wording, { table });
  if (wording.filesUrl === undefined || line === undefined) return code;
  return `[${code}](${wording.filesUrl}/${pathUri(file)}#L${line})`;
}

/** For where GitHub shows plain text: titles and annotations. */
export function foreignPlain(text: string, wording: Wording, maximum: number): string {
  return cut(visibleText(redactBeginning(text.trim(), wording.redact)), maximum);
}

/** At most `maximum` UTF-16 units, ending in an ellipsis when something is missing; never half a character. */
export function cut(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  return `${text.slice(0, maximum - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** "1 finding", "3 findings", "1,214 lines". */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

/** A sentence's end, once. */
export function withFullStop(text: string): string {
  return /[.!?…:]$/.test(text) ? text : `${text}.`;
}

export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

/** "under 1 s", "42 s", "3 min 5 s", "1 h 2 min". */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return "under 1 s";
  if (seconds < 60) return `${seconds} s`;
  const [large, small, units] =
    seconds < 3600
      ? [Math.floor(seconds / 60), seconds % 60, ["min", "s"]]
      : [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), ["h", "min"]];
  return small === 0 ? `${large} ${units[0]}` : `${large} ${units[0]} ${small} ${units[1]}`;
}

/** The same from one moment to another (ISO 8601), or until `now` where it goes on. */
export function durationOf(from: string, to: string | null | undefined, now: Date): string {
  return duration((to ? Date.parse(to) : now.getTime()) - Date.parse(from));
}

/** "2026-11-20 10:42 UTC". */
export function moment(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/** "$0.18"; a cost is never rounded to nothing. */
export function usd(amount: number): string {
  return amount > 0 && amount < 0.01 ? "under $0.01" : `$${amount.toFixed(2)}`;
}

/** GitHub takes 65,535 characters; counting bytes is safe however it counts, and the rest is for markers. */
const MAXIMUM_BYTES = 60_000;

/** The first of these texts that GitHub takes, the fullest first; the last one has to fit. */
export function fitting(...texts: readonly [() => string, ...(() => string)[]]): string {
  for (const text of texts.slice(0, -1)) {
    const made = text();
    if (Buffer.byteLength(made) <= MAXIMUM_BYTES) return made;
  }
  return texts.at(-1)!();
}

/** What is read only when opened. */
export function folded(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`;
}

/** Items that are shown of a list; the others are counted. */
const MAXIMUM_ITEMS = 12;
/** Up to so many characters a list is read as one sentence. */
const INLINE_CHARACTERS = 240;

/** "**Done when** one; two." as a sentence where it is short, else as a list; `label` is Markdown. Nothing for no items. */
export function listed(label: string, items: readonly string[], wording: Wording): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, MAXIMUM_ITEMS).map((item) => foreignLine(item, wording, { maximum: 400 }));
  const rest = items.length - shown.length;
  const all = rest > 0 ? [...shown, `and ${count(rest, "more point")}`] : shown;
  const sentence = all.map((item) => item.replace(/[.;]$/, "")).join("; ");
  return sentence.length <= INLINE_CHARACTERS || all.length === 1
    ? [`${label} ${sentence}.`]
    : [`${label}\n${all.map((item) => `- ${item}`).join("\n")}`];
}

/** Says first of all that a person passed the check, who and why; it holds on this head alone. */
export function overrideLine({ by, reason }: Override, wording: Wording): string {
  return `**Overridden by ${foreignCode(by, wording)}, on this head only:** ${withFullStop(foreignLine(reason, wording))}`;
}

/** What to type to end a pause, as code. */
export function unpauseLine(scope: PauseScope): string {
  return scope === "repository" ? "`/forge unpause --repository`" : "`/forge unpause`";
}
