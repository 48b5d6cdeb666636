import { builtinModules } from "node:module";

const names = (text: string) => text.split(" ");

/** These run tests, compare, or read files as texts: none of them loads a module that it is given the name of. */
const SCRIPTS = new Set([
  ...builtinModules,
  ...names("vitest @jest/globals mocha ava tap tape uvu zora chai expect should sinon"),
  ...names("glob fast-glob globby tinyglobby fs-extra graceful-fs picomatch minimatch micromatch"),
]);
const PYTHON = new Set(
  names(
    "__future__ abc argparse ast base64 collections contextlib copy csv dataclasses datetime decimal enum functools glob hashlib io itertools json logging math operator os pathlib pytest random re shutil string sys tempfile textwrap time tomllib types typing unittest uuid yaml",
  ),
);

/** Whether a package may load a module of the repository whose name it is given. @param name as it is imported */
export function mayLoad(name: string, isPython: boolean): boolean {
  return !(isPython ? PYTHON : SCRIPTS).has(name);
}
