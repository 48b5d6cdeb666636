import { editsOf, type SuggestedEdit, type SuggestedFix, touchSameLines } from "../../domain/findings.ts";
import type { ChangedFile } from "../../domain/hunks.ts";
import { REDACTED } from "../../safety/redact.ts";
import { isTestFile, TEST_RUNNERS } from "../../tools/run/test-runner.ts";
import type { Claim } from "./claims.ts";
import type { Voted } from "./vote.ts";

/** A file of the head. */
export interface HeadFile {
  readonly lines: readonly string[];
  /** Lines that the change added. */
  readonly added: ReadonlySet<number>;
}

export type ReadHead = (path: string) => Promise<HeadFile | undefined>;

/**
 * The proposed fix of each claim: its own fix, or one of another claim that mends it too. A fix is whole or none: all of its
 * lines are there, no two edits touch the same ones, and each changes something.
 * @param mends of claims without a fix of their own, the claim whose fix it is
 */
export async function proposeFixes(
  { readHead }: { readonly readHead?: ReadHead | undefined },
  { files }: { readonly files: readonly { readonly changed: ChangedFile; readonly lines: readonly string[] }[] },
  claims: readonly Voted[],
  mends: ReadonlyMap<Claim, Claim>,
): Promise<ReadonlyMap<Claim, SuggestedFix>> {
  const fileAt = async (path: string): Promise<HeadFile | undefined> => {
    const file = files.find(({ changed }) => changed.path === path);
    if (!file) return readHead?.(path);
    return { lines: file.lines, added: new Set(file.changed.hunks.flatMap(({ added }) => added)) };
  };
  const known = new Map<Claim, Promise<SuggestedFix | undefined>>();
  const fixes = new Map<Claim, SuggestedFix>();
  for (const { claim } of claims) {
    const source = claim.fix ? claim : (mends.get(claim) ?? claim);
    const asked = known.get(source) ?? toFix(source, fileAt);
    known.set(source, asked);
    const fix = await asked;
    if (fix) fixes.set(claim, fix);
  }
  return fixes;
}

async function toFix(
  { file, fix }: Claim,
  fileAt: (path: string) => Promise<HeadFile | undefined>,
): Promise<SuggestedFix | undefined> {
  if (!fix) return undefined;
  const edits: SuggestedEdit[] = [];
  for (const one of [{ ...fix, file }, ...(fix.also ?? [])]) {
    const path = one.file.replace(/^\.\//, "");
    const head = await fileAt(path);
    const edit = head && toEdit(path, head.lines, one);
    if (!head || !edit || edits.some((other) => touchSameLines(other, edit))) return undefined;
    const pins = path !== file && isTestOrSnapshot(path);
    // An older test says what was right before: a fix that changes it mends nothing.
    for (let line = edit.startLine; pins && line <= edit.endLine; line += 1)
      if (!head.added.has(line)) return undefined;
    edits.push(pins ? { ...edit, pins } : edit);
  }
  const [first, ...also] = edits;
  return first && { ...first, ...(also.length === 0 ? {} : { also }) };
}

function toEdit(
  file: string,
  lines: readonly string[],
  {
    start_line: startLine,
    end_line: endLine,
    replacement,
  }: Pick<NonNullable<Claim["fix"]>, "start_line" | "end_line" | "replacement">,
): SuggestedEdit | undefined {
  if (endLine < startLine || endLine > lines.length) return undefined;
  const before = lines.slice(startLine - 1, endLine).join("\n");
  const after = replacement.replace(/\r?\n$/, "");
  // What was hidden from the model is not to be committed in its place.
  if (after.includes(REDACTED) && !before.includes(REDACTED)) return undefined;
  return before === after ? undefined : { file, startLine, endLine, before, after };
}

const SNAPSHOT = /(?:^|\/)(?:__snapshots__|snapshots)\/|\.snap(?:\.\w+)?$/;

function isTestOrSnapshot(path: string): boolean {
  return SNAPSHOT.test(path) || TEST_RUNNERS.some((runner) => isTestFile(path, runner));
}

/** A proposal as its judge reads it; what stands there now is said of files that it is not shown. */
export function proposalLines(fix: SuggestedFix): string[] {
  return editsOf(fix).map(({ file, startLine, endLine, before, after, pins }, at) => {
    if (at === 0) return `proposed lines ${startLine} to ${endLine}:\n${after}`;
    const what = pins ? " (a test or snapshot of this change)" : "";
    return `and in ${file}${what}, in place of lines ${startLine} to ${endLine}:\n${before}\nthese:\n${after}`;
  });
}
