import { visibleText } from "../../safety/visible-text.ts";
import type { LineSet } from "../line-set.ts";

/** Up to so many words between those that are looked for. */
const words = (most: number) => String.raw`(?: [^\s.!?]{1,40}){0,${most}}? [^\w\s]{0,3}`;
const WHOLE =
  "(?:all|any|every|each|everything|anything|always|whatever|regardless|unconditionally|automatically|without|immediately|silently|entirely|completely)";
const LEAVE =
  "(?:ignore|disregard|skip|suppress|hide|omit|bypass|disable|override|dismiss|overlook|silence|drop|withhold|conceal)";
const KEEP_SILENT =
  "(?:do not|dont|never|stop|without) (?:report|flag|mention|raise|list|show|block|fail|warn|check|review|scan|surface|comment|look|run)(?:ing)?";
/** The words of the repetitions are bounded in number and length. */
const order = (source: string) => new RegExp(source);
/** What a review is there for. */
const CORE =
  "(?:findings?|vulnerabilit(?:y|ies)|security|backdoors?|malware|reviews?|reviewers?|guardrails?|safety|polic(?:y|ies)|approvals?|branch protection)";
const CHECKS =
  "(?:issues?|warnings?|errors?|problems?|alerts?|bugs?|flaws?|concerns?|risks?|checks?|scans?|linters?|tests?|instructions?|rules?)";

/** Orders to pass over what is found, to approve whatever comes, or to hide something from people. */
const ORDERS: readonly RegExp[] = [
  order(String.raw`\b${LEAVE}${words(3)}${CORE}\b`),
  order(String.raw`\b${LEAVE}${words(2)}${WHOLE}\b${words(3)}${CHECKS}\b`),
  order(
    String.raw`\b${KEEP_SILENT}${words(4)}(?:findings?|vulnerabilit(?:y|ies)|security|backdoors?|malware|issues|problems|concerns|anything|everything)\b`,
  ),
  /\b(?:always|unconditionally|automatically|immediately|silently|blindly|just|simply) (?:auto-?approve|approve|lgtm|rubber-?stamp|sign off)\b/,
  /\b(?:unconditionally|automatically|silently|blindly) (?:merge|accept|allow|trust|pass)\b/,
  order(
    String.raw`\b(?:auto-?approve|auto-?merge|approve|lgtm|rubber-?stamp|sign off on|trust)${words(2)}${WHOLE}\b${words(4)}(?:pull|prs?|changes?|commits?|requests?|diffs?|code|patch(?:es)?|reviews?|reviewing|checking|reading|looking|questions?|content)\b`,
  ),
  order(String.raw`\b(?:merge|accept)\b${words(4)}(?:without|regardless|unconditionally|no matter)\b`),
  order(
    String.raw`\b(?:ignore|disregard|forget|override)${words(3)}(?:previous|prior|above|earlier|preceding|other|system|existing)${words(2)}(?:instructions?|prompts?|rules?|messages?|directions?|guidelines?|polic(?:y|ies))\b`,
  ),
  order(
    String.raw`\b(?:do not|dont|never|without) (?:tell|inform|notify|alert)(?:ing)?${words(2)}(?:users?|humans?|developers?|maintainers?|anyone|anybody|persons?|people|reviewers?)\b`,
  ),
  order(
    String.raw`\b(?:treat|consider|regard|mark|rate|classify)${words(5)}as [^\w\s]{0,3}(?:safe|trusted|harmless|approved|reviewed|benign|false positives?)\b`,
  ),
  order(
    String.raw`\b(?:send|post|upload|exfiltrate|leak|forward|transmit)${words(5)}(?:secrets?|tokens?|credentials?|passwords?|keys?|environment|variables)${words(6)}(?:https?:|webhooks?|gists?|pastebin)`,
  ),
];
/** Words that a review says of what it found nothing in, whatever there is; a condition makes them ordinary. */
const SAYS_CLEAN = order(
  String.raw`\b(?:report|return|answer|respond|reply|output|say|state|claim)${words(3)}(?:(?:no|zero|0) (?:findings?|issues?|problems?|vulnerabilities|concerns)|lgtm|approved?|clean)\b`,
);
const CONDITION = /\b(?:if|when|unless|where|once|after|only)\b/;
/** Not doing it is what is asked for; or somewhere else than in public. */
const DENIES = /^(?:never|not|dont|cannot|no|avoid|without)$/;
const WORDS_DENIED = 4;
const ELSEWHERE = /\bpublic(?:ly)?\b/;

const LINE_CHARACTERS = 2_000;

/**
 * Lines of a text, of these, on which it orders agents to pass over what they find, to approve whatever comes, to hide something from people or to
 * give away secrets; by number from 1. The patterns are a warning and no wall: they know common ways to say it.
 */
export function ordersIn(text: string, added: LineSet): number[] {
  const lines = text.split("\n");
  const found: number[] = [];
  for (const number of added) {
    const line = plain(lines[number - 1] ?? "");
    const next = plain(lines[number] ?? "");
    // A sentence may go on in the next line.
    const isAcross = next !== "" && !isOrder(line) && !isOrder(next) && isOrder(`${line} ${next}`);
    if (isOrder(line) || isAcross) found.push(number);
  }
  return found;
}

function isOrder(line: string): boolean {
  if (SAYS_CLEAN.test(line) && !CONDITION.test(line)) return true;
  return ORDERS.some((pattern) => {
    const index = line.search(pattern);
    if (index === -1 || ELSEWHERE.test(line)) return false;
    const before = line.slice(0, index).trim().split(" ").slice(-WORDS_DENIED);
    return !before.some((word) => DENIES.test(word));
  });
}

function plain(line: string): string {
  return visibleText(line.slice(0, LINE_CHARACTERS))
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[*_`~"“”>#|()]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
