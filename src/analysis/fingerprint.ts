import { createHmac } from "node:crypto";
import type { Observation } from "../domain/findings.ts";
import { takeTurns } from "../workspace/files/turns.ts";
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
 * code may be a secret: without the key candidates cannot be tried. The key must stay the same for as long as the ledger lives.
 *
 * After a rename the path differs. A finding that the ledger does not know is therefore tried with the paths of known findings that
 * are not seen any more, and takes over the identity that fits: renames need no bookkeeping beside the ledger itself.
 * @param exact the text that an observation is about, where the head does not hold it
 */
export async function fingerprint(
  observations: readonly Observation[],
  files: ReadonlyMap<string, SourceFile>,
  key: Buffer,
  known: readonly KnownFinding[] = [],
  exact: ReadonlyMap<Observation, string> = new Map(),
): Promise<Fingerprinted[]> {
  const turn = takeTurns(TURN);
  const seen = new Map<string, number>();
  const inOrder = observations.toSorted((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
  const claims = new Map<Observation, string>();
  for (const observation of inOrder) {
    const claim = claimOf(observation, files.get(observation.file), exact.get(observation));
    const occurrence = seen.get(`${observation.file}\0${claim}`) ?? 0;
    seen.set(`${observation.file}\0${claim}`, occurrence + 1);
    claims.set(observation, `${claim}\0${occurrence}`);
    await turn(claim.length);
  }
  const hash = (path: string, claim: string) => createHmac("sha256", key).update(`${path}\0${claim}`).digest("hex");

  const own: string[] = [];
  for (const observation of observations) {
    own.push(hash(observation.file, claims.get(observation) ?? ""));
    await turn();
  }
  const fingerprints = new Set(own);
  const unseen = new Map(
    known
      .filter((finding) => !fingerprints.has(finding.fingerprint))
      .map((finding) => [finding.fingerprint, finding.file]),
  );
  const knownFingerprints = new Set(known.map((finding) => finding.fingerprint));
  const identified: Fingerprinted[] = [];
  let paths = new Set(unseen.values());
  let tries = 0;
  for (const [index, observation] of observations.entries()) {
    const candidate = own[index] ?? "";
    identified.push({ ...observation, fingerprint: candidate });
    if (knownFingerprints.has(candidate) || tries > MOST_TRIES) continue;
    for (const path of paths) {
      tries += 1;
      const earlier = hash(path, claims.get(observation) ?? "");
      await turn();
      if (!unseen.delete(earlier)) continue;
      identified[index] = { ...observation, fingerprint: earlier };
      paths = new Set(unseen.values());
      break;
    }
  }
  return identified;
}

/** Hundreds of files that were renamed with hundreds of findings each: a second. */
const MOST_TRIES = 100_000;

/** Some 10 ms: there may be as many observations as anybody wants, and a line may have a megabyte. */
const TURN = { most: 1_000, unitsOfStep: 5_000 };

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
