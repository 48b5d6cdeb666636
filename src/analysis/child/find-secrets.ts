import { lintSource } from "@secretlint/core";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { findKubernetesSecrets } from "../../safety/secrets/kubernetes-secrets.ts";
import { isPlaceholder } from "../../safety/secrets/placeholders.ts";
import type { FoundSecret } from "../../safety/secrets/secret-format.ts";
import { SECRET_FORMATS } from "../../safety/secrets/secret-formats.ts";
import { findNamedSecrets } from "../secrets/named-secrets.ts";
import type { ChildFile, SecretMatch } from "./protocol.ts";

/** Shorter hints are looked for one by one; there are few of them. */
const INDEXED_CHARACTERS = 3;
const SLOTS = 1 << 16;

/** Without the rule that lets a comment in the file switch the others off. */
const SECRETLINT_RULES = rules
  .filter(({ meta }) => !meta.id.endsWith("filter-comments"))
  .map((rule) => ({ id: rule.meta.id, rule, options: {} }));

/** A file with more than this is a list of them; comparing each with each must stay cheap. */
const MOST_SECRETS = 500;

/** An account number is not a secret. */
const NOT_SECRET = new Set(["AWSAccountID"]);

const formatsIn = createHintIndex(SECRET_FORMATS);

/** Places of everything in a text that looks like a secret and not like a placeholder. Where kinds overlap the surest one counts. */
export async function findSecrets({ text, textKind = "data" }: ChildFile): Promise<SecretMatch[]> {
  const found = [
    ...findByFormat(text),
    ...findKubernetesSecrets(text),
    ...(await findBySecretlint(text)),
    ...findNamedSecrets(text, textKind),
  ];
  return distinct(found.filter((match) => match.proven || !isCalledExample(text, match)))
    .map(({ value: _value, ...place }) => place)
    .sort((a, b) => a.offset - b.offset);
}

/** What is called an example where it gets its name is none; a checksum that fits proves the opposite. */
function isCalledExample(text: string, { offset, length, value }: FoundSecret): boolean {
  const at = offset + Math.max(0, text.slice(offset, offset + length).lastIndexOf(value));
  const name = ASSIGNED.exec(text.slice(Math.max(0, at - MOST_BEFORE), at))?.[1];
  return name !== undefined && EXAMPLE_NAME.test(name.replace(/(?<=[a-z\d])(?=[A-Z])/g, "_"));
}

const MOST_BEFORE = 120;
const ASSIGNED = /([\w.$-]{1,80})["'`\]]{0,2}\s{0,4}(?:=>|:=|[:=(])\s{0,4}[rbfu]?["'`]?$/;
const EXAMPLE_NAME =
  /(?:^|[^a-z])(?:examples?|samples?|dummy|fake|placeholder|mock(?:ed)?|bogus|invalid|not_?real)(?:[^a-z]|$)/i;

function findByFormat(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { rule, pattern, accepts, proven } of formatsIn(text)) {
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? match[0];
      if (isPlaceholder(rule, match[0], value) || accepts?.(value) === false) continue;
      const place = { rule, offset: match.index, length: match[0].length, value };
      found.push(proven?.(value) ? { ...place, proven: true } : place);
    }
  }
  return found;
}

async function findBySecretlint(text: string): Promise<FoundSecret[]> {
  const { messages } = await lintSource({
    source: { filePath: "file", content: text, contentType: "text" },
    options: { maskSecrets: true, noPhysicFilePath: true, config: { rules: SECRETLINT_RULES } },
  });
  return messages.flatMap(({ ruleId, messageId, range: [start, end] }) => {
    const kind = ruleId.replace("@secretlint/secretlint-rule-", "");
    const value = text.slice(start, end);
    const rule = kind === "basicauth" || kind === "database-connection-string" ? "url-credentials" : kind;
    if (NOT_SECRET.has(messageId) || isPlaceholder(rule, value, passwordOf(value) ?? value)) return [];
    return [{ rule, offset: start, length: end - start, value }];
  });
}

/** Of an address such as `https://user:password@host`. */
function passwordOf(url: string): string | undefined {
  const scheme = url.indexOf("://");
  const rest = scheme === -1 ? "" : url.slice(scheme + "://".length);
  const colon = rest.search(/[:@/]/);
  const end = rest.indexOf("@", colon);
  return rest[colon] === ":" && end !== -1 ? rest.slice(colon + 1, end) : undefined;
}

/** What overlaps an earlier match is the same secret again, and the earlier kind names it better. */
function distinct(found: readonly FoundSecret[]): FoundSecret[] {
  const kept: FoundSecret[] = [];
  for (const match of found) {
    if (kept.length === MOST_SECRETS) break;
    const overlaps = kept.some(
      (other) => match.offset < other.offset + other.length && other.offset < match.offset + match.length,
    );
    if (!overlaps) kept.push(match);
  }
  return kept;
}

interface Hinted {
  /** Texts of which every match contains at least one. */
  readonly hints: readonly string[];
}

/**
 * Finds in one pass over a text which of the formats can match in it, in their order. Looking for each of some 250 hints in turn would
 * take longer than everything else together.
 */
function createHintIndex<T extends Hinted>(formats: readonly T[]): (text: string) => T[] {
  const all = formats.flatMap(({ hints }, format) => hints.map((hint) => ({ hint, format })));
  const short = all.filter(({ hint }) => hint.length < INDEXED_CHARACTERS);
  const slots = Map.groupBy(
    all.filter(({ hint }) => hint.length >= INDEXED_CHARACTERS),
    ({ hint }) => slotOf(hint, 0),
  );
  const filled = new Uint8Array(SLOTS);
  for (const slot of slots.keys()) filled[slot] = 1;

  return (text) => {
    const found = new Set<number>();
    for (const { hint, format } of short) if (text.includes(hint)) found.add(format);
    for (let at = 0; at + INDEXED_CHARACTERS <= text.length; at += 1) {
      const slot = slotOf(text, at);
      if (filled[slot] === 0) continue;
      for (const { hint, format } of slots.get(slot) ?? []) {
        if (!found.has(format) && text.startsWith(hint, at)) found.add(format);
      }
    }
    return formats.filter((_, format) => found.has(format));
  };
}

/** Three characters as a number below `SLOTS`; different ones may share it. */
function slotOf(text: string, at: number): number {
  return ((text.charCodeAt(at) * 961) ^ (text.charCodeAt(at + 1) * 31) ^ text.charCodeAt(at + 2)) & (SLOTS - 1);
}
