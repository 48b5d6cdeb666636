import type { CommandDanger } from "../commands/command-dangers.ts";
import { namePath } from "../name-path.ts";
import type { SourceFile } from "../source-file.ts";
import type { AgentFile } from "./agent-files.ts";
import { readSettings, type Setting } from "./read-settings.ts";

type Told = Omit<CommandDanger, "line">;
type Sides = Pick<SourceFile, "path" | "text" | "oldText">;

/** What a settings file says that it did not say before. */
export interface SettingDanger extends Told {
  readonly line: number;
  /** The command that is started, with its arguments. */
  readonly command?: string;
}

/** Keys whose value is a program, or what is given to one. */
const PROGRAM_KEY =
  /^(?:command|commands|cmd|shell_cmd|exec|executable|program|run|script|scripts|shell|shell_command|binary|bin|helper|bash|powershell|sh|onSave|onOpen|postCreateCommand|preLaunchTask|yarnPath|runner|formatter|serverCommand|preCommand|postCommand|entrypoint|eval|system-shell)$/i;
const PROGRAM_ENDING =
  /(?:command|commands|executable|execpath|exec|helper|script|program|binary|interpreter|interpreterpath|serverpath|binpath|\.path|toolpath|compilerpath|debuggerpath|nodepath|tsdk|runtime|runtimeexecutable|authrefresh|credentialexport|automationprofile|shellpath|gopath|bootstrap|commandline|executablepath|pythonpath)$/i;
/** Names of languages end like keys of programs. */
const LANGUAGE = /(?:java|type|coffee|live|action|post)script$/i;
const ARGUMENT_KEY = /^(?:args|arguments|argv|runtimeArgs|serverArgs|shellArgs|extraArgs)$/i;
const HOOK_KEY =
  /^(?:hooks|statusLine|tasks|postinstall|_\.source|enter|leave|cd|watch_files|alias|aliases|profiles|automationProfile|build_systems|runOnSave|emeraldwalk|enabledPlugins|extraKnownMarketplaces)$/i;
/** Programs that are asked by address, and what loads one into others by the environment. */
const ADDRESS_KEY = /^(?:url|serverUrl|httpUrl|endpoint|baseUrl|base_url|server)$|(?:BASE_URL|_ENDPOINT|_PROXY)$/i;
const ENVIRONMENT =
  /^(?:PATH|NODE_OPTIONS|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w{1,40}|PYTHONPATH|PYTHONSTARTUP|BASH_ENV|ENV|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|GIT_SSH\w{0,10}|GIT_\w{1,30}|EDITOR|PAGER|BROWSER|SHELL|PROMPT_COMMAND)$/;
/** What lets agents act, or an editor trust a folder, without asking. */
const TRUST_KEY =
  /^(?:allow|allowed|allowlist|autoApprove|auto_approve|autoAccept|alwaysAllow|trust|trusted|yolo|dangerouslySkipPermissions|skipPermissions|defaultMode|approvalMode|approval_policy|sandbox|sandbox_mode|autoRun|auto_run|enableAllProjectMcpServers|enabledMcpjsonServers|allowedTools|allowed_tools|additionalDirectories|bypassPermissions|disableAllHooks|permissionMode)$|(?:autoapprove|autorun|allowautomatictasks|trust\.\w{1,40}|untrustedfiles|yolo|autoaccept)$/i;
const HARMLESS_VALUE =
  /^(?:false|off|no|none|null|prompt|ask|default|plan|read-only|on-request|untrusted|manual|never)$/i;
const SPEAKS_KEY =
  /^(?:instructions|prompt|systemPrompt|system_prompt|system|rules|customInstructions|custom_instructions|contextFileName|context|read|persona|description)$|instructions$/i;

const STARTS = (of: string): Told => ({
  rule: "settings/starts-program",
  severity: "warning",
  confidence: 0.8,
  message: `Settings of ${of} start a program here, or say which one.`,
  why: "It runs on the machine of everybody who opens the repository with them, with all that this person may do.",
});
const TRUSTS = (of: string): Told => ({
  rule: "settings/acts-unasked",
  severity: "warning",
  confidence: 0.8,
  message: `Settings of ${of} let something happen here without asking.`,
  why: "Nobody is asked any more before a command runs or a file is trusted.",
});
const SPEAKS = (of: string): Told => ({
  rule: "settings/speaks-to-agents",
  severity: "info",
  confidence: 0.9,
  message: `This tells ${of} what to do.`,
  why: "Agents obey it in later work on this repository: a person should want each sentence of it.",
});

/** What is new among the settings of an agent or an editor: programs that they start, what they let happen unasked, and words to agents. */
export function findSettingDangers(file: Sides, { of }: AgentFile): SettingDanger[] {
  const settings = readSettings(file.path, file.text);
  const known = new Set((file.oldText === undefined ? [] : readSettings(file.path, file.oldText)).map(keyOf));
  const dangers: SettingDanger[] = [];
  const said = new Set<string>();
  const isEditor = of === "editors";
  for (const setting of settings) {
    if (known.has(keyOf(setting))) continue;
    const told = toldOf(setting, isEditor, of);
    if (told === undefined) continue;
    const place = `${told.rule}\0${setting.keys.slice(0, -1).join("\0")}`;
    if (said.has(place)) continue;
    said.add(place);
    const command = told.rule === "settings/starts-program" ? commandOf(setting, settings) : undefined;
    dangers.push({ ...told, line: setting.line, ...(command === undefined ? {} : { command }) });
  }
  return dangers;
}

function keyOf({ keys, value }: Setting): string {
  return [...keys, "", value].join("\0");
}

function toldOf({ keys, value }: Setting, isEditor: boolean, of: string): Told | undefined {
  const key = keys.at(-1) ?? "";
  if (keys.some((each) => TRUST_KEY.test(each)) && !isHarmless(keys, value)) return TRUSTS(of);
  const isProgram =
    PROGRAM_KEY.test(key) ||
    (PROGRAM_ENDING.test(key) && !LANGUAGE.test(key)) ||
    ARGUMENT_KEY.test(key) ||
    ENVIRONMENT.test(key) ||
    (!isEditor && ADDRESS_KEY.test(key)) ||
    keys.some(
      (each) =>
        HOOK_KEY.test(each) || /^terminal\.(?:integrated|external)\.(?:profiles|env|shell|automation)/i.test(each),
    );
  if (isEditor && isUsual(key, value)) return undefined;
  if (isProgram && !isNoProgram(keys, value) && !isName(key)) return STARTS(of);
  return SPEAKS_KEY.test(key) && (!isEditor || /instructions$/i.test(key)) ? SPEAKS("agents") : undefined;
}

/** Of a sandbox the other way round: what is on keeps things in, and what is off lets them out. */
function isHarmless(keys: readonly string[], value: string): boolean {
  const key = keys.at(-1) ?? "";
  const isSandbox = keys.some((each) => /^sandbox(?:_mode)?$/i.test(each));
  if (!isSandbox || /allow|exclude|unsandboxed/i.test(key)) return HARMLESS_VALUE.test(value);
  return /^(?:true|on|enabled|docker|podman|sandbox-exec|read-only|workspace-write)$/i.test(value);
}

/** What everybody names: the compiler among the packages, Python of the project, the two checks of Rust, and what tests covered. */
function isUsual(key: string, value: string): boolean {
  if (/tsdk(?:\.path)?$/.test(key)) return /^(?:\.\/)?node_modules\//.test(value);
  if (/^python\.\w{0,40}path$/i.test(key))
    return /^(?:\$\{workspaceFolder\}\/|\.\/)?\.?v?env\/(?:bin|Scripts)\/python[\d.]{0,9}(?:\.exe)?$/.test(value);
  if (/^rust-analyzer\.check/.test(key)) return /^(?:check|clippy)$/.test(value);
  return /^(?:lcov|coverage)[\w.-]{0,40}\.path$/.test(key);
}

/** What is switched on loads something only where it is a plugin. */
function isNoProgram(keys: readonly string[], value: string): boolean {
  return /^(?:false|null|\d{1,9})$/.test(value) || (value === "true" && !keys.includes("enabledPlugins"));
}

/** Says which thing it is, and starts none. */
function isName(key: string): boolean {
  return /^(?:type|label|name|title|matcher|group|kind|icon|color|version|id|\$schema|problemMatcher|reveal|panel)$/i.test(
    key,
  );
}

/** All values under the same key, as one command. */
function commandOf({ keys }: Setting, settings: readonly Setting[]): string {
  const parent = keys.slice(0, -1).join("\0");
  const beside = settings.filter((other) => {
    const key = other.keys.at(-1) ?? "";
    return other.keys.slice(0, -1).join("\0") === parent && !isName(key);
  });
  return beside
    .map(({ value }) => value)
    .join(" ")
    .slice(0, 10_000);
}

/** What packages are built by that everybody knows. */
const BACKENDS =
  /^(?:setuptools\.build_meta(?::__legacy__)?|hatchling\.build|flit_core\.buildapi|flit\.buildapi|poetry\.core\.masonry\.api|poetry_dynamic_versioning\.backend|pdm\.backend|pdm\.pep517\.api|maturin|scikit_build_core\.(?:setuptools\.)?build(?:_meta)?|mesonpy|uv_build|whey|jupyter_packaging\.build_api|enscons\.api|py_build_cmake\.build|sipbuild\.api|trampolim|hatch_jupyter_builder|intreehooks)$/;
const BUILD_KEYS =
  /^(?:build-backend|backend-path|build|build-script|script|path|custom-hook|cmdclass|run-setuptools|requires|post_install|pre_install|post_build|pre_build)$/;
const BUILD_TABLES =
  /^(?:build-system|tool\.(?:poetry\.build|setuptools\.cmdclass|hatch\.build|hatch\.metadata|pdm\.(?:build|scripts)|flit))/;

/** What pip runs for `pyproject.toml` when it builds or installs the project. The usual backends are left out. */
export function findBuildBackends(file: Sides): SettingDanger[] {
  if (!/(?:^|\/)pyproject\.toml$/i.test(namePath(file.path))) return [];
  const known = new Set((file.oldText === undefined ? [] : readSettings(file.path, file.oldText)).map(keyOf));
  return readSettings(file.path, file.text).flatMap((setting) => {
    const { keys, value, line } = setting;
    const key = keys.at(-1) ?? "";
    const table = keys.slice(0, -1).join(".");
    if (known.has(keyOf(setting)) || !(BUILD_TABLES.test(table) || table === "tool.poetry")) return [];
    if (!BUILD_KEYS.test(key) && !/cmdclass|hooks\.custom/.test(table)) return [];
    // A file that is written, and commands that a person starts.
    if (/hooks\.(?:version|vcs)$/.test(table) || (table === "tool.pdm.scripts" && !/^(?:pre|post)_/.test(key)))
      return [];
    if (
      key === "build-backend"
        ? BACKENDS.test(value)
        : key === "requires" && !/@\s{0,9}(?:https?|git|file)|\.\//.test(value)
    )
      return [];
    return [
      {
        rule: "settings/build-program",
        severity: "warning" as const,
        confidence: 0.8,
        message: "What builds this package is changed: pip runs it.",
        why: "It runs on every machine that builds or installs the package, before any of its code is imported.",
        line,
      },
    ];
  });
}
