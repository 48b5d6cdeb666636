import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { hasTools } from "../../scripts/tools.ts";
import { findProgram } from "../../src/workspace/find-program.ts";
import { libsqlServer } from "../store/libsql-server.ts";
import { describeNeeding, itNeeding } from "./needing.ts";

/** Where Debian's package puts it. */
export const CHROMIUM = "/usr/bin/chromium";

const NO_SERVER = "no libSQL server: FORGE_TEST_SQLD names no sqld, and none is on PATH";
const noServer = libsqlServer === undefined ? NO_SERVER : undefined;
export const itOnServer = itNeeding(noServer);
export const describeOnServer = describeNeeding(noServer);

const noTools = hasTools() ? undefined : "the packages of tools/ are not installed (npm run tools)";
export const itWithTools = itNeeding(noTools);
export const describeWithTools = describeNeeding(noTools);

export const describeInBrowser = describeNeeding(
  isExecutable(CHROMIUM) ? noTools : `no browser: there is no ${CHROMIUM} (Debian's package chromium)`,
);

export const itWithShellcheck = itNeeding(
  (await findProgram("shellcheck")) === undefined ? "no shellcheck on PATH" : undefined,
);

const hasPip = spawnSync("/usr/bin/python3", ["-I", "-m", "pip", "--version"]).status === 0;
export const itWithPip = itNeeding(hasPip ? undefined : "no pip in /usr/bin/python3 (Debian's package python3-pip)");

const hasPytest = hasPip && spawnSync("/usr/bin/python3", ["-I", "-m", "pytest", "--version"]).status === 0;
/** Why demonstrations of Python cannot be tried, if they cannot. */
export const noPytest = hasPytest
  ? undefined
  : "no pip or pytest in /usr/bin/python3 (Debian's packages python3-pip and python3-pytest)";

export const itWithPython = itNeeding(isExecutable("/usr/bin/python3") ? undefined : "no /usr/bin/python3");

const hasApt = ["apt-get", "dpkg-deb"].every((program) => spawnSync(program, ["--version"]).status === 0);
export const describeWithApt = describeNeeding(hasApt ? undefined : "no apt here: it is not Debian or Ubuntu");

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
