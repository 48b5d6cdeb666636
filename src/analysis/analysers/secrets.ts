import { createRequire } from "node:module";
import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserResult } from "../analyser.ts";
import type { SecretMatch } from "../child/protocol.ts";
import { eachInTurn } from "../each-in-turn.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { describeSecret } from "../secrets/describe-secret.ts";
import { textKindOf } from "../secrets/named-secrets.ts";
import { findSecretsInCommits } from "../secrets/secrets-in-commits.ts";
import { holdsValues, SENSITIVE_FILE_KIND, sensitiveFile } from "../secrets/sensitive-files.ts";
import { placeOf, type SourceFile } from "../source-file.ts";

const require = createRequire(import.meta.url);
const { version } = require("@secretlint/core/package.json") as { version: string };

/** Secrets by their shape, in every text of the change, generated or not: Forge's own table and secretlint's. */
export const secrets: Analyser = {
  name: "secrets",
  version,
  layer: "security",
  readsFilesAlone: true,
  appliesTo: () => true,
  analyse: analyseSecrets,
  analyseCommits: findSecretsInCommits,
};

async function analyseSecrets(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const { results, unread } = await runInChild<SecretMatch[]>(
    "secrets",
    await eachInTurn(files, (file, id) => ({ id, text: file.text, textKind: textKindOf(file) })),
    context,
  );
  const observations = await eachInTurn(files, (file, id) => {
    const matches = results.get(id) ?? [];
    return [...matches.map((match) => observe(file, match)), ...observeName(file, matches.length)];
  });
  const problems = unread.map(({ id, reason }) => ({
    file: files[id]?.path ?? "",
    reason: `not searched for secrets: ${reason}`,
    gap: true,
  }));
  return { observations: observations.flat(), filesRead: results.size, problems };
}

function textOf(text: string, { offset, length }: SecretMatch): string {
  return text.slice(offset, offset + length);
}

function observe(file: SourceFile, match: SecretMatch): Observation {
  const start = placeOf(file.lineStarts, match.offset);
  const end = placeOf(file.lineStarts, match.offset + match.length);
  return {
    ...describeSecret(match, textOf(file.text, match), file),
    file: file.path,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
  };
}

/** A new file by the name of one that holds secrets, where none of them was recognised. */
function observeName(file: SourceFile, matches: number): Observation[] {
  const what = sensitiveFile(file.path);
  if (what === undefined || file.status !== "added" || matches > 0 || !holdsValues(file.path, file.text)) return [];
  return [
    {
      ...describeSecret({ rule: SENSITIVE_FILE_KIND.rule }, "", file),
      message: `By its name this is ${what}.`,
      why: "Such files belong outside the repository.",
      remedy: "If it holds anything real, rotate it, then remove the file from the history of the branch.",
      file: file.path,
      line: 1,
      endLine: 1,
    },
  ];
}
