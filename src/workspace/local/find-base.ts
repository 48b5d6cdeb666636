import { join } from "node:path";
import { ForgeError } from "../../domain/errors.ts";
import { runGit } from "../git.ts";
import type { LocalRepository } from "./find-repository.ts";
import { inView } from "./open-view.ts";
import { readPlainFile } from "./plain-file.ts";
import { readSettings } from "./read-settings.ts";
import { resolveRevisions } from "./resolve-revisions.ts";

const DEFAULT_BASES = ["origin/HEAD", "origin/main", "origin/master", "main", "master"];

/**
 * The commit to compare with: the merge base of HEAD with `base`, or with the default branch when it is not given. Never the tip of the
 * base in its place: then the change would be blamed for all that came to the base since. Nothing is fetched.
 * @throws ForgeError `base_not_found` naming what was tried; `history_missing` where the clone does not reach back to the merge base;
 * `base_unrelated` where there is none
 */
export async function findBase(repository: LocalRepository, base: string | undefined): Promise<string> {
  const names = base === undefined ? DEFAULT_BASES : [base];
  const [head, ...commits] = await resolveRevisions(repository, ["HEAD", ...names]);
  for (const [at, name] of names.entries()) {
    const commit = commits[at];
    if (commit === undefined) continue;
    if (head === undefined) throw unrelated(name);
    return mergeBase(repository, name, commit, head);
  }
  throw refused("base_not_found", await whatIsMissing(repository, base));
}

async function mergeBase(repository: LocalRepository, name: string, commit: string, head: string): Promise<string> {
  const cuts = await cutsOf(repository);
  return inView(repository, async (gitDirectory) => {
    const ask = async (args: readonly string[], okCodes = [0]) => {
      const result = await runGit({ gitDirectory, args, okCodes });
      if (!result.ok) throw unfollowed(name, cuts.size > 0, result.errorText);
      return result.stdout.toString("latin1").split("\n").filter(Boolean);
    };
    const common = await ask(["merge-base", "--all", head, commit], [0, 1]);
    // Where one of the two holds all of the other, nothing newer can be common. CI fetches two commits and asks for HEAD^1.
    if (common.length === 1 && (common[0] === commit || common[0] === head)) return common[0];
    // A newer common commit can lie behind a cut, on either side: what is found then may be a much older one, by way of an old merge. And
    // git finds nothing in common, without a word, where a commit is missing.
    const ends = await ask(["rev-list", "--max-parents=0", head, commit, "--not", ...common]);
    if (ends.some((sha) => cuts.has(sha))) throw unfollowed(name, true);
    const [first] = common;
    if (first === undefined) throw unrelated(name);
    if (common.length === 1) return first;
    // Two branches that merged each other share two commits. The one on the base's own line has all that came from there.
    const line = await ask(["rev-list", "--first-parent", commit, "--not", ...common.map((sha) => `${sha}^@`)]);
    return line.find((sha) => common.includes(sha)) ?? first;
  });
}

/** The commits at which a shallow clone ends, although they have parents. */
async function cutsOf({ commonDirectory }: LocalRepository): Promise<ReadonlySet<string>> {
  const file = await readPlainFile(join(commonDirectory, "shallow"), 16 * 1024 * 1024);
  return new Set(file?.content.toString("latin1").split("\n").filter(Boolean));
}

async function whatIsMissing(repository: LocalRepository, base: string | undefined): Promise<string> {
  const { taken } = await readSettings(repository.commonDirectory);
  const fetched = taken.filter(([key]) => key === "remote.origin.fetch");
  const few = fetched.length > 0 && fetched.every(([, value]) => !value.includes("*"));
  const fetchAll = 'git remote set-branches origin "*" && git fetch origin';
  const how = few ? `this clone has not all branches (${fetchAll} fetches them)` : undefined;
  if (base === undefined) {
    const what = `There is no default branch to compare with (${DEFAULT_BASES.join(", ")})`;
    return `${what}: ${how ? `${how}; then ` : ""}name one with --base, or say --all.`;
  }
  const [there] = await resolveRevisions(repository, [`origin/${base}`]);
  const what = `There is no commit ${JSON.stringify(base)} here`;
  if (there !== undefined) return `${what}, but there is ${JSON.stringify(`origin/${base}`)}: name that with --base.`;
  return `${what}: ${how ? `${how}; or ` : ""}name another with --base, or say --all.`;
}

function unfollowed(base: string, shallow: boolean, detail = ""): ForgeError {
  const what = `the history from here back to where it left ${JSON.stringify(base)} is missing`;
  const more = "git fetch --unshallow fetches it, git fetch --deepen=100 a part of it";
  const [said = ""] = detail.trim().split("\n");
  const message = shallow
    ? `this is a shallow clone, and ${what}: ${more}; --all looks at every file without it`
    : `${what} (${said}): git fsck says what else is; --all looks at every file without it`;
  return refused("history_missing", message);
}

function unrelated(base: string): ForgeError {
  const message = `There is no commit that HEAD and ${JSON.stringify(base)} have in common: name another with --base, or say --all.`;
  return refused("base_unrelated", message);
}

function refused(code: string, message: string): ForgeError {
  return new ForgeError(code, message, { source: "validation", recoverability: "manual" });
}
