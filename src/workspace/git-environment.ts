import { basename } from "node:path";
import type { RemoteAccess } from "./remote-access.ts";

type Setting = readonly [key: string, value: string];

/** Git knows this tree without its being stored, so it can stand for "no attributes at all". */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Settings that stand above whatever a configuration file says: nothing that git could start, follow or ask. */
const HARDENED: readonly Setting[] = [
  ["core.fsmonitor", "false"],
  // What a repository says of its own history and files in files beside them is not believed.
  ["core.untrackedCache", "false"],
  ["core.commitGraph", "false"],
  ["core.multiPackIndex", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.attributesFile", "/dev/null"],
  ["core.excludesFile", "/dev/null"],
  ["core.symlinks", "false"],
  ["core.askPass", ""],
  ["core.quotePath", "true"],
  ["credential.helper", ""],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["log.showSignature", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["protocol.version", "2"],
  ["http.followRedirects", "false"],
  ["http.lowSpeedLimit", "1000"],
  ["http.lowSpeedTime", "30"],
  // Packs are kept as they come: thousands of single files would make every later command slower.
  ["fetch.unpackLimit", "1"],
  ["pack.threads", "2"],
];

/**
 * The environment of every git process: no configuration of the system or the user, no prompt, no attributes of the repository, and
 * no network unless a remote is given. The remote and its token exist in this environment only, never in a file or an argument.
 */
export function gitEnvironment(
  gitDirectory: string,
  remote?: RemoteAccess,
  token?: string,
  settings: readonly Setting[] = [],
): Record<string, string> {
  const all = [...HARDENED, ...settings, ...(remote === undefined ? [] : remoteSettings(remote, token))];
  const environment: Record<string, string> = {
    LC_ALL: "C",
    // Not left out: without HOME curl asks the user database where .netrc lies.
    HOME: "/nonexistent",
    XDG_CONFIG_HOME: "/nonexistent",
    GIT_DIR: gitDirectory,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_ATTR_SOURCE: EMPTY_TREE,
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOW_PROTOCOL: allowedProtocols(remote),
    GIT_CONFIG_COUNT: String(all.length),
  };
  if (remote === undefined) environment.GIT_NO_LAZY_FETCH = "1";
  for (const [index, [key, value]] of all.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

function allowedProtocols(remote: RemoteAccess | undefined): string {
  if (remote === undefined) return "";
  return remote.allowHttp ? "https:http" : "https";
}

function remoteSettings(remote: RemoteAccess, token: string | undefined): Setting[] {
  const origin = new URL(remote.url).origin;
  const settings: Setting[] = [
    ["remote.origin.url", remote.url],
    ["remote.origin.promisor", "true"],
    ["remote.origin.partialCloneFilter", "blob:none"],
  ];
  if (token !== undefined) settings.push([`http.${origin}/.extraHeader`, authorization(token)]);
  if (remote.certificateFile !== undefined) settings.push(["http.sslCAInfo", remote.certificateFile]);
  if (remote.proxyUrl !== undefined) settings.push(["http.proxy", remote.proxyUrl]);
  return settings;
}

function authorization(token: string): string {
  return `AUTHORIZATION: basic ${basicCredentials(token)}`;
}

function basicCredentials(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString("base64");
}

/** Error text of git without the token, in neither of its two forms, and without the place of the mirror on this machine. */
export function redactGitText(text: string, gitDirectory: string, token: string | undefined): string {
  const withoutPlace = text.replaceAll(gitDirectory, basename(gitDirectory));
  if (token === undefined || token === "") return withoutPlace;
  return withoutPlace.replaceAll(basicCredentials(token), "[redacted]").replaceAll(token, "[redacted]");
}
