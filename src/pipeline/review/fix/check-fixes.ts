import { isUtf8 } from "node:buffer";
import { compiles } from "../../../analysis/compiles.ts";
import type { FixLeftOut } from "../../../domain/fixes.ts";
import { findSecrets } from "../../change/find-secrets.ts";
import { fitFixes, type WantedFix } from "./fit-fixes.ts";

export interface Checked {
  /** The file as it is to be; absent where nothing is left of the fixes. */
  readonly content?: Buffer;
  readonly applied: readonly WantedFix[];
  readonly left: readonly FixLeftOut[];
}

interface CheckDependencies {
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

const MARK = "\ufeff";

/**
 * A file with those of its fixes that fit and leave it sound: it parses, has no certain error of types that it had not, and no secret that
 * it had not (REV-4, SEC-6). Where all of them together do not, they are taken one by one.
 * @param before undefined where there is no such file
 * @param wanted most important first, all of this file
 * @throws ForgeError `secrets_unchecked`
 */
export async function checkFixes(
  before: Buffer | undefined,
  wanted: readonly WantedFix[],
  dependencies: CheckDependencies,
): Promise<Checked> {
  const [first] = wanted;
  if (!first || !before || !isUtf8(before) || before.includes(0))
    return { applied: [], left: wanted.map((one) => leftOut(one, "no_file")) };
  const whole = before.toString("utf8");
  const mark = whole.startsWith(MARK) ? MARK : "";
  const text = whole.slice(mark.length);
  const fault = faultFinder(first.fix.file, text, dependencies);
  const done = (fitted: { readonly text: string; readonly applied: readonly WantedFix[] }, left: FixLeftOut[]) => {
    if (fitted.text !== text) return { content: Buffer.from(`${mark}${fitted.text}`), applied: fitted.applied, left };
    return { applied: [], left: [...left, ...fitted.applied.map((one) => leftOut(one, "changed"))] };
  };
  const all = fitFixes(text, wanted);
  const left = [...all.left];
  if ((await fault(all.text)) === undefined) return done(all, left);
  let kept = fitFixes(text, []);
  for (const one of all.applied) {
    const tried = fitFixes(text, [...kept.applied, one]);
    const why = await fault(tried.text);
    if (why === undefined) kept = tried;
    else left.push(leftOut(one, why));
  }
  return done(kept, left);
}

function leftOut({ findingId, fix }: WantedFix, why: FixLeftOut["why"]): FixLeftOut {
  return { findingId, file: fix.file, why };
}

/** Says what a text of the file would bring that is not there before. */
function faultFinder(path: string, before: string, dependencies: CheckDependencies) {
  let known: Promise<readonly string[]> | undefined;
  return async (after: string): Promise<"breaks" | "secret" | undefined> => {
    if (after === before) return undefined;
    if (!(await compiles(path, { before, after }, dependencies))) return "breaks";
    const found = await linesWithSecrets(path, after, dependencies);
    if (found.length === 0) return undefined;
    known ??= linesWithSecrets(path, before, dependencies);
    const old = await known;
    return found.some((line) => !old.includes(line)) ? "secret" : undefined;
  };
}

/** The lines of a text in which there is a secret: what a fix puts in the place of one is a new one. */
async function linesWithSecrets(
  path: string,
  text: string,
  dependencies: CheckDependencies,
): Promise<readonly string[]> {
  const lines = text.split("\n");
  const found = await findSecrets(new Map([[path, Buffer.from(text)]]), dependencies);
  return found.map(({ line }) => lines[line - 1]?.trim() ?? "");
}
