import { posix } from "node:path";
import { BOX_FOLDER, PROGRAM_PATH } from "../sandbox/sandbox.ts";
import { readPoetryLock } from "./poetry-lock.ts";
import { lockedRequirements, type OwnPackage } from "./python-lock.ts";
import { readUvLock } from "./uv-lock.ts";

/** All of these that are there are installed together, as a developer would. */
export const REQUIREMENT_FILES = [
  "requirements.txt",
  "requirements-dev.txt",
  "requirements-test.txt",
  "dev-requirements.txt",
  "test-requirements.txt",
];

/** Where Python packages stand, from the root: a folder that is part of no commit. Runs of Python have it in PYTHONPATH. */
export const PYTHON_PACKAGES = ".venv/forge";

/** Where programs of a repository and of its packages are found, and what Python imports. */
export const PROGRAM_ENVIRONMENT = {
  PATH: `${PROGRAM_PATH}:${BOX_FOLDER}/${PYTHON_PACKAGES}/bin`,
  PYTHONPATH: `${BOX_FOLDER}/${PYTHON_PACKAGES}`,
} as const;

/**
 * A package by its name, with versions, extras and markers; no address, no folder and no option but a hash. No two parts of it can take
 * the same characters, so that no line takes long.
 */
const NAMED =
  /^[A-Za-z0-9][\w.-]*(?: ?\[[\w ,.-]*\])?(?:(?: ?, ?| )?[=<>!~]{1,3} ?[\w.*+-]+)*(?: ?;(?:(?! -)[^@\\])*)?(?: --hash=sha\d+:[0-9a-f]+)*$/;
const LONGEST_LINE = 10_000;

type TextOf = (path: string) => string | undefined;

export interface PipPlan {
  readonly text: string;
  /** Whether every package that is needed is named, with its hashes. */
  readonly isLocked: boolean;
  readonly own: readonly OwnPackage[];
  /** In sentences. */
  readonly notes: readonly string[];
}

/**
 * The packages for pip: as a lock file of uv or Poetry says, or else as requirement files do. Only what is named by its name: an address
 * or a folder would be built, by a program that it brings.
 * @param registries hosts that pip is let to
 */
export function planPip(textOf: TextOf, registries: readonly string[]): PipPlan | { reason: string } | undefined {
  const locked = lockedPlan(textOf, registries);
  if (locked !== undefined && "text" in locked) return locked;
  const listed = listedRequirements(textOf);
  if (locked === undefined || listed === undefined || "reason" in listed) return locked ?? listed;
  return { ...listed, notes: [`Python's packages were installed from requirement files: ${locked.reason}.`] };
}

const READERS = { "uv.lock": readUvLock, "poetry.lock": readPoetryLock };
/** One at the root takes the place of requirement files. */
export const PYTHON_LOCKS = ["uv.lock", "poetry.lock"] as const;

function lockedPlan(textOf: TextOf, registries: readonly string[]): PipPlan | { reason: string } | undefined {
  const file = PYTHON_LOCKS.find((each) => textOf(each) !== undefined);
  if (file === undefined) return undefined;
  const lock = READERS[file](textOf(file) ?? "", textOf("pyproject.toml") ?? "", registries);
  if ("reason" in lock) return lock;
  const wanted = lockedRequirements(lock);
  if ("reason" in wanted) return { reason: `${file} ${wanted.reason}` };
  const { text, leftOut } = wanted;
  if (text === "") return undefined;
  return { text, isLocked: true, own: lock.own, notes: leftOut.map((fault) => `Not installed: ${file} ${fault}.`) };
}

function listedRequirements(textOf: TextOf): PipPlan | { reason: string } | undefined {
  const lines: string[] = [];
  for (const file of REQUIREMENT_FILES) {
    for (const line of linesOf(textOf(file) ?? "")) {
      if (isAnotherFile(line)) continue;
      if (line.length > LONGEST_LINE || !NAMED.test(line)) {
        return { reason: `${file} asks for something that is no package by its name` };
      }
      lines.push(line);
    }
  }
  if (lines.length > 0) return { text: `${[...new Set(lines)].join("\n")}\n`, isLocked: false, own: [], notes: [] };
  const needs = /^[ \t]*dependencies\s*=\s*\[\s*["']|^\[tool\.poetry\.dependencies\]|^\[packages\]/m;
  const other = ["pyproject.toml", "Pipfile"].find((file) => needs.test(textOf(file) ?? ""));
  if (other === undefined) return undefined;
  return {
    reason: `Python's packages are installed as a lock file or requirements.txt says, and only ${other} names any`,
  };
}

/** Where a line has a break inside that pip may end it at, nothing of it counts as a comment. */
function withoutComment(line: string): string {
  return /[\r\u2028\u2029]/.test(line) ? line : line.replace(/(?:^|\s)#[\s\S]*$/, "");
}

/** Without comments, a line that ends in a backslash joined with the next. */
function linesOf(text: string): string[] {
  const joined = text.replace(/\\\r?\n/g, " ");
  const bare = joined.split(/\r?\n/).map((line) => withoutComment(line).replace(/\s+/g, " ").trim());
  return bare.filter((line) => line !== "");
}

/** A file that is read anyway. */
function isAnotherFile(line: string): boolean {
  if (line.length > LONGEST_LINE) return false;
  const named = /^(?:-r|--requirement)[\s=]*(?:\.\/)?(\S+)$/.exec(line)?.[1];
  return named !== undefined && REQUIREMENT_FILES.includes(named);
}

/**
 * What stands beside installed packages: where Python finds what the repository holds itself, and what is asked for its own version. As
 * if it were installed too, in the way in which one can go on changing it, but nothing is built.
 * @returns texts by path, from the root
 */
export function ownPackages({ own }: Pick<PipPlan, "own">): Map<string, string> {
  const folders = own.map(({ folder }) => folder).filter((folder) => /^[\w./-]*$/.test(folder));
  const places = ["", ...folders].flatMap((folder) => [
    posix.join(BOX_FOLDER, folder, "src"),
    posix.join(BOX_FOLDER, folder),
  ]);
  const files = new Map([[`${PYTHON_PACKAGES}/sitecustomize.py`, siteOf([...new Set(places)])]]);
  for (const { name, version = "0" } of own) {
    if (!/^[\w.-]+$/.test(name) || !/^[\w.+!-]+$/.test(version)) continue;
    const folder = `${name.replace(/[-.]+/g, "_")}-${version}.dist-info`;
    files.set(`${PYTHON_PACKAGES}/${folder}/METADATA`, `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`);
  }
  return files;
}

/** Python runs this when it starts, as it does what packages bring to be run then. Last in the way, so that nothing hides Python's own. */
function siteOf(places: readonly string[]): string {
  const lines = [
    "import os, site, sys",
    `site.addsitedir("${posix.join(BOX_FOLDER, PYTHON_PACKAGES)}")`,
    `for place in ${JSON.stringify(places)}:`,
    "    if os.path.isdir(place) and place not in sys.path:",
    "        sys.path.append(place)",
  ];
  return `${lines.join("\n")}\n`;
}
