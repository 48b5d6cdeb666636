import { dependencyName } from "../dependencies/lock-files.ts";
import { isRequirements } from "../dependencies/read-manifests.ts";
import { namePath } from "../name-path.ts";
import type { SourceFile } from "../source-file.ts";
import type { CommandDanger } from "./command-dangers.ts";

const NPM = /(?:^|\/)\.npmrc$|(?:^|\/)\.yarnrc(?:\.ya?ml)?$|(?:^|\/)bunfig\.toml$/;
const PIP = /(?:^|\/)(?:pip\.(?:conf|ini)|\.pypirc)$/i;

const WELL_KNOWN =
  /^https:\/\/(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com|npm\.jsr\.io|pypi\.org|files\.pythonhosted\.org|test\.pypi\.org|download\.pytorch\.org)(?:[:/?#]|$)/i;

const NPM_SOURCE =
  /^\s{0,8}["']?(?:@[\w.-]+:)?(?:registry|npmRegistryServer)["']?\s{0,4}[=:\s]\s{0,4}["']?([a-z]+:\/\/[^\s"']+)/i;
const PIP_SOURCE =
  /(?:^|\s)(?:-i|--(?:extra-)?index-url|--find-links|-f|(?:extra-)?index-url|find-links)\s{0,4}[=\s]\s{0,4}([a-z]+:\/\/[^\s"']+)/i;
/** Settings that have another program run in place of a known one, or load one into it. */
const PROGRAMS =
  /^\s{0,8}(?:(?:script-shell|shell|git|onload-script|init-module|node-gyp|yarn-path|yarnPath|pnpmfile|global-pnpmfile|globalPnpmfile|scriptShell|(?:- )?path)["']?\s{0,4}[=:\s]|node-options\s{0,4}=.{0,500}(?:-r\b|--(?:require|import|loader|experimental-loader|env-file)))/i;
/** Yarn writes these itself: a release and plugins of its own that lie in the repository. */
const YARNS_OWN =
  /^\s{0,8}(?:yarnPath|(?:- )?path)["']?:\s{0,4}["']?\.yarn\/(?:releases\/yarn-[\w.-]{1,40}\.c?js|plugins\/@yarnpkg\/[\w.-]{1,60}\.c?js)["']?\s{0,9}$/;
const UNCHECKED =
  /^\s{0,8}(?:strict-ssl\s{0,4}[=\s]\s{0,4}["']?false|enableStrictSsl:\s{0,4}false|trusted-host\s{0,4}=|--trusted-host\b)/i;

/** Where the settings of a package manager take packages from, and what they have it run. */
export function findPackageSources(file: SourceFile): CommandDanger[] {
  const path = namePath(file.path);
  const source = NPM.test(path)
    ? NPM_SOURCE
    : PIP.test(path) || isRequirements(dependencyName(path.toLowerCase()))
      ? PIP_SOURCE
      : undefined;
  if (source === undefined) return [];
  return file.text.split("\n").flatMap((written, at) => {
    const line = written.slice(0, 2_000);
    const address = source.exec(line)?.[1];
    const program = YARNS_OWN.test(line) ? { ...OTHER_PROGRAM, severity: "info" as const } : OTHER_PROGRAM;
    const told = PROGRAMS.test(line) ? program : UNCHECKED.test(line) ? NOT_CHECKED : elsewhere(address);
    return told === undefined ? [] : [{ ...told, line: at + 1 }];
  });
}

function elsewhere(address: string | undefined): Omit<CommandDanger, "line"> | undefined {
  return address === undefined || WELL_KNOWN.test(address) ? undefined : OTHER_SOURCE;
}

const OTHER_SOURCE: Omit<CommandDanger, "line"> = {
  rule: "commands/package-source",
  severity: "warning",
  confidence: 0.7,
  message: "Packages come from another server than the usual one.",
  why: "Whoever runs that server decides what is installed.",
};
const OTHER_PROGRAM: Omit<CommandDanger, "line"> = {
  rule: "commands/package-program",
  severity: "warning",
  confidence: 0.8,
  message: "The package manager is told to run another program, or to load one.",
  why: "It runs on every machine that installs from here.",
};
const NOT_CHECKED: Omit<CommandDanger, "line"> = {
  rule: "commands/package-unchecked",
  severity: "warning",
  confidence: 0.8,
  message: "The server that packages come from is not checked.",
  why: "Anybody on the way can replace a package.",
};
