import { createHmac } from "node:crypto";
import type { Observation } from "../domain/findings.ts";
import { lineText, type SourceFile } from "./source-file.ts";

export type Fingerprinted = Observation & { readonly fingerprint: string };

/** A finding that the subject's ledger knows: its fingerprint, and the path at which it was first seen, with which that was made. */
export interface KnownFinding {
  readonly fingerprint: string;
  readonly file: string;
}

/**
 * Gives each observation its identity (GH-3a): a keyed SHA-256 of rule, path, the code at the place without its white space, one line
 * of context above and below, and the occurrence among equals. So it survives shifted lines and new indentation. Keyed because the
 * code may be a secret: without the key nobody can try candidates. The key must stay the same for as long as the ledger lives.
 *
 * After a rename the path differs. A finding that the ledger does not know is therefore tried with the paths of known findings that
 * are not seen any more, and takes over the identity that fits: renames need no bookkeeping beside the ledger itself.
 * @param exact the text that an observation is about, where the head does not hold it
 */
export function fingerprint(
  observations: readonly Observation[],
  files: ReadonlyMap<string, SourceFile>,
  key: Buffer,
  known: readonly KnownFinding[] = [],
  exact: ReadonlyMap<Observation, string> = new Map(),
): Fingerprinted[] {
  const seen = new Map<string, number>();
  const inOrder = observations.toSorted((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
  const claims = new Map<Observation, string>();
  for (const observation of inOrder) {
    const claim = claimOf(observation, files.get(observation.file), exact.get(observation));
    const occurrence = seen.get(`${observation.file}\0${claim}`) ?? 0;
    seen.set(`${observation.file}\0${claim}`, occurrence + 1);
    claims.set(observation, `${claim}\0${occurrence}`);
  }
  const hash = (path: string, claim: string) => createHmac("sha256", key).update(`${path}\0${claim}`).digest("hex");

  const own = observations.map((observation) => hash(observation.file, claims.get(observation) ?? ""));
  const fingerprints = new Set(own);
  const unseen = new Map(
    known
      .filter((finding) => !fingerprints.has(finding.fingerprint))
      .map((finding) => [finding.fingerprint, finding.file]),
  );
  const knownFingerprints = new Set(known.map((finding) => finding.fingerprint));
  return observations.map((observation, index) => {
    const candidate = own[index] ?? "";
    if (knownFingerprints.has(candidate) || unseen.size === 0) return { ...observation, fingerprint: candidate };
    for (const path of new Set(unseen.values())) {
      const earlier = hash(path, claims.get(observation) ?? "");
      if (!unseen.delete(earlier)) continue;
      return { ...observation, fingerprint: earlier };
    }
    return { ...observation, fingerprint: candidate };
  });
}

function claimOf(observation: Observation, file: SourceFile | undefined, exact: string | undefined): string {
  if (exact !== undefined) return `${observation.rule}\0${exact}`;
  if (file === undefined) return observation.rule;
  if (observation.rule.startsWith("secrets/")) return `${observation.rule}\0${exactText(observation, file)}`;
  const { line, endLine } = observation;
  const code = Array.from({ length: Math.min(endLine - line + 1, MOST_LINES) }, (_, index) =>
    lineText(file, line + index),
  );
  const parts = [observation.rule, lineText(file, line - 1), code.join("\n"), lineText(file, endLine + 1)];
  return parts.map((part) => part.replace(/\s+/g, "")).join("\0");
}

/** The beginning of a long range is enough to know it again, and cheap. */
const MOST_LINES = 20;

/** A secret is the same wherever it stands: its neighbours say nothing. */
function exactText({ line, column, endLine, endColumn }: Observation, file: SourceFile): string {
  const start = (file.lineStarts[line - 1] ?? 0) + (column ?? 1) - 1;
  const end = endColumn === undefined ? file.lineStarts[endLine] : (file.lineStarts[endLine - 1] ?? 0) + endColumn - 1;
  return file.text.slice(start, end);
}
