import { createRequire } from "node:module";
import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserResult } from "../analyser.ts";
import type { SecretMatch } from "../child/protocol.ts";
import { runInChild } from "../run-in-child.ts";
import { SECRET_FORMATS, type SecretFormat } from "../secret-formats.ts";
import { placeOf, type SourceFile } from "../source-file.ts";

const require = createRequire(import.meta.url);
const { version } = require("@secretlint/core/package.json") as { version: string };

const FORMATS = new Map(SECRET_FORMATS.map((format) => [format.rule, format]));

/** Shown of a secret, and only of one that is long enough to stay secret. */
const PREFIX_CHARACTERS = 4;
const SHORTEST_SHOWN = 16;

/** Secrets by their shape, in every text of the change, generated or not: Forge's own table and secretlint's. */
export const secrets: Analyser = {
  name: "secrets",
  version,
  layer: "security",
  appliesTo: () => true,
  analyse: analyseSecrets,
};

async function analyseSecrets(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const { results, unread } = await runInChild<SecretMatch[]>(
    "secrets",
    files.map(({ text }, id) => ({ id, text })),
    context,
  );
  const observations = files.flatMap((file, id) =>
    distinct(results.get(id) ?? []).flatMap((match) => observe(file, match)),
  );
  const problems = unread.map(({ id, reason }) => ({
    file: files[id]?.path ?? "",
    reason: `not searched for secrets: ${reason}`,
    gap: true,
  }));
  return { observations, filesRead: results.size, problems };
}

/** Our own formats come first and name the kind best: what overlaps an earlier match is the same secret again. */
function distinct(matches: readonly SecretMatch[]): SecretMatch[] {
  const kept: SecretMatch[] = [];
  for (const match of matches) {
    const overlaps = kept.some(
      (other) => match.offset < other.offset + other.length && other.offset < match.offset + match.length,
    );
    if (!overlaps) kept.push(match);
  }
  return kept;
}

function observe(file: SourceFile, match: SecretMatch): Observation[] {
  const start = placeOf(file.lineStarts, match.offset);
  const end = placeOf(file.lineStarts, match.offset + match.length);
  const format = FORMATS.get(match.rule);
  const blocks = (format?.sure ?? true) && !(file.test && format?.mildInTests);
  const value = file.text.slice(match.offset, match.offset + match.length);
  return [
    {
      source: "security",
      rule: `secrets/${match.rule}`,
      severity: blocks ? "critical" : "warning",
      category: "security",
      file: file.path,
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
      ...wordsFor(format, match.rule, blocks),
      confidence: (format?.confidence ?? 0.9) - (blocks ? 0 : 0.1),
      evidence: `${value.length < SHORTEST_SHOWN ? "" : value.slice(0, PREFIX_CHARACTERS).replace(/\s/g, "")}…`,
      ...(blocks ? { secret: true } : {}),
    },
  ];
}

function wordsFor(format: SecretFormat | undefined, rule: string, sure: boolean): { message: string; why: string } {
  const what = format?.what ?? `a secret (${rule})`;
  if (!sure) {
    return {
      message: `This looks like ${what}.`,
      why: "If it opens anything real, rotate it and keep it out of the repository; a value made for tests can stay.",
    };
  }
  return {
    message: `This adds ${what} to the repository.`,
    why: "Whoever can read the repository can use it, now and from its history: rotate it, then remove it from the branch's history.",
  };
}
