import { isUtf8 } from "node:buffer";
import { compiles } from "../../../analysis/compiles.ts";
import { editsOf } from "../../../domain/findings.ts";
import type { FixLeftOut } from "../../../domain/fixes.ts";
import { findSecrets } from "../../change/find-secrets.ts";
import { fitFixes, type WantedFix } from "./fit-fixes.ts";

export interface Checked {
  /** The files that become other ones, as they are to be. */
  readonly contents: ReadonlyMap<string, Buffer>;
  readonly applied: readonly WantedFix[];
  readonly left: readonly FixLeftOut[];
}

interface CheckDependencies {
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
}

const MARK = "\ufeff";

/**
 * Files with those fixes that fit and leave them sound: they parse, have no certain error of types that they had not, and no secret that they
 * had not (REV-4, SEC-6). Where all together do not, those of the files concerned are taken one by one, each whole or not at all.
 * @param files as they are; undefined where there is no such file
 * @param wanted most important first
 * @throws ForgeError `secrets_unchecked`
 */
export async function checkFixes(
  files: ReadonlyMap<string, Buffer | undefined>,
  wanted: readonly WantedFix[],
  dependencies: CheckDependencies,
): Promise<Checked> {
  const texts = new Map<string, string>();
  const marks = new Map<string, string>();
  for (const [path, content] of files) {
    if (!content || !isUtf8(content) || content.includes(0)) continue;
    const whole = content.toString("utf8");
    const mark = whole.startsWith(MARK) ? MARK : "";
    marks.set(path, mark);
    texts.set(path, whole.slice(mark.length));
  }
  const finders = new Map([...texts].map(([path, text]) => [path, faultFinder(path, text, dependencies)]));
  const faultOf = async (path: string, now: ReadonlyMap<string, string>) => finders.get(path)?.(now.get(path) ?? "");
  let fitted = fitFixes(texts, wanted);
  const left = [...fitted.left];
  const bad = new Set<string>();
  for (const path of texts.keys()) if ((await faultOf(path, fitted.texts)) !== undefined) bad.add(path);
  if (bad.size > 0) {
    const { applied } = fitted;
    const isConcerned = ({ fix }: WantedFix) => editsOf(fix).some(({ file }) => bad.has(file));
    fitted = fitFixes(
      texts,
      applied.filter((one) => !isConcerned(one)),
    );
    for (const one of applied.filter(isConcerned)) {
      const tried = fitFixes(texts, [...fitted.applied, one]);
      const why = await firstFault(one, (path) => faultOf(path, tried.texts));
      if (why === undefined) fitted = tried;
      else left.push(leftOut(one, why));
    }
  }
  const changed = [...fitted.texts].filter(([path, text]) => text !== texts.get(path));
  const contents = new Map(changed.map(([path, text]) => [path, Buffer.from(`${marks.get(path) ?? ""}${text}`)]));
  const changes = ({ fix }: WantedFix) => editsOf(fix).some(({ file }) => contents.has(file));
  const undone = fitted.applied.filter((one) => !changes(one)).map((one) => leftOut(one, "changed"));
  return { contents, applied: fitted.applied.filter(changes), left: [...left, ...undone] };
}

async function firstFault<Fault>(
  { fix }: WantedFix,
  faultOf: (path: string) => Promise<Fault | undefined>,
): Promise<Fault | undefined> {
  for (const { file } of editsOf(fix)) {
    const fault = await faultOf(file);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function leftOut({ findingId, fix }: WantedFix, why: FixLeftOut["why"]): FixLeftOut {
  return { findingId, file: fix.file, why };
}

/** Says what a text of the file would bring that is not there before. */
function faultFinder(path: string, before: string, dependencies: CheckDependencies) {
  let known: Promise<readonly string[]> | undefined;
  /** By text: with a fix left out most files become what they were found to be before. */
  const said = new Map<string, ReturnType<typeof look>>();
  return (after: string) => {
    const fault = said.get(after) ?? look(after);
    said.set(after, fault);
    return fault;
  };

  async function look(after: string): Promise<"breaks" | "secret" | undefined> {
    if (after === before) return undefined;
    if (!(await compiles(path, { before, after }, dependencies))) return "breaks";
    const found = await linesWithSecrets(path, after, dependencies);
    if (found.length === 0) return undefined;
    known ??= linesWithSecrets(path, before, dependencies);
    const old = await known;
    return found.some((line) => !old.includes(line)) ? "secret" : undefined;
  }
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
