import { posix } from "node:path";
import { namePath } from "../name-path.ts";

/** What a file is to agents and editors: it tells agents what to do, or it is among the settings of one. */
export interface AgentFile {
  readonly is: "instructions" | "settings";
  /** Whose settings, or whom it speaks to, as people say it. */
  readonly of: string;
  /** By a word that other texts have for a name too, as `docs/review.md` or the page of a class `Agent`. */
  readonly perhaps?: true;
}

const INSTRUCTIONS =
  /^(?:(?:agents?|claude|gemini|codex|qwen|warp|crush|grok|kimi|jules|copilot|review|skill|conventions|guidelines|codebuff|replit)(?:\.(?:local|override|private))?\.md|copilot-instructions\.md|\.(?:cursor|windsurf|cline|roo|kilocode|goose|augment|junie|bolt|v0|idx)(?:rules|hints)?(?:-[\w-]{1,30})?(?:\.(?:md|mdc|txt))?|\.rules|\.augment-guidelines|\.goosehints|llms(?:-full)?\.txt)$/i;
const WORDS =
  /^(?:agents?|gemini|codex|warp|crush|grok|kimi|jules|copilot|review|skill|conventions|guidelines|codebuff|replit)\.md$/i;
const INSTRUCTING = /\.(?:instructions|prompt|chatmode|agent|skill|mode)\.md$|\.mdc$/i;
/** Folders of agents, which read the texts in them. */
const AGENT_FOLDER =
  /(?:^|\/)\.(?:claude|cursor|gemini|codex|windsurf|cline|clinerules|roo|kilocode|continue|kiro|junie|amazonq|trae|opencode|qwen|augment|goose|aider|crush|factory|agents?|tabnine|cody|sourcegraph|firebender|openhands|devin)\//i;
const GITHUB_FOLDER = /(?:^|\/)\.github\/(?:instructions|prompts|chatmodes|agents|skills|copilot)\//i;
const TEXTS = /\.(?:md|mdc|txt|mdx|markdown|rst|prompt|toml\.md)$/i;
const AGENT_SETTINGS =
  /^(?:\.?mcp(?:[.-][\w-]{1,30})?\.json|\.claude\.json|opencode\.jsonc?|\.aider\.conf\.ya?ml|\.?goose\.ya?ml|crush\.json|\.crush\.json|claude_desktop_config\.json|\.coderabbit\.ya?ml|gemini-extension\.json|copilot-setup-steps\.ya?ml|\.?devin\.ya?ml|\.tabnine|plugin\.json|marketplace\.json|hooks\.json)$/i;
const EDITOR =
  /(?:^|\/)\.(?:vscode|zed|fleet|theia)\/[^/]{1,100}\.json$|(?:^|\/)\.(?:idea|nova|sublime)\/|\.(?:code-workspace|sublime-(?:project|settings|build))$/i;
const EDITOR_PROGRAM =
  /^(?:\.nvim\.lua|\.nvimrc|\.exrc|\.vimrc|\.gvimrc|\.dir-locals\.el|\.projectile|\.lldbinit|\.gdbinit|\.envrc|\.?mise\.(?:local\.)?toml|\.rtx\.toml|\.tool-versions)$/i;

/** What a file of this path is to agents or editors; undefined for all others. */
export function agentFileOf(written: string): AgentFile | undefined {
  const path = namePath(written);
  const name = posix.basename(path);
  if (INSTRUCTIONS.test(name) || INSTRUCTING.test(name))
    return { is: "instructions", of: "agents", ...(isWord(path, name) ? { perhaps: true } : {}) };
  if (AGENT_FOLDER.test(path) || GITHUB_FOLDER.test(path))
    return { is: TEXTS.test(name) ? "instructions" : "settings", of: "agents" };
  if (AGENT_SETTINGS.test(name) && isSettingsPlace(path, name)) return { is: "settings", of: "agents" };
  if (/^\.vscode\/mcp\.json$|\/\.vscode\/mcp\.json$/i.test(path)) return { is: "settings", of: "agents" };
  if (EDITOR.test(path)) return { is: "settings", of: "editors" };
  return EDITOR_PROGRAM.test(name) ? { is: "settings", of: "shells and editors" } : undefined;
}

/** Agents know their files by capitals or in their places; everybody may have a page about agents, reviews or conventions. */
function isWord(path: string, name: string): boolean {
  const isSpelled =
    name !== name.toLowerCase() && name.replace(/\.md$/i, "") === name.replace(/\.md$/i, "").toUpperCase();
  const inPlace =
    !path.includes("/") || AGENT_FOLDER.test(path) || GITHUB_FOLDER.test(path) || /(?:^|\/)skills?\//i.test(path);
  return !isSpelled && !inPlace && WORDS.test(name);
}

/** Other programs use these names as well. They are settings of an agent only within a plugin. */
function isSettingsPlace(path: string, name: string): boolean {
  return !/^(?:plugin|marketplace|hooks)\.json$/i.test(name) || /(?:^|\/)(?:\.?[\w-]{0,30}plugin|hooks)\//i.test(path);
}

/** Keys at the head of a text by which agents know that it is theirs. */
const HEADER_KEYS =
  /^(?:applyTo|alwaysApply|allowed-tools|tools|model|agent|subagent|globs|inclusion|trigger|argument-hint|permission[\w-]{0,20}|disable-model-invocation)\s{0,4}:/m;
const ENDS_HEADER = /\n---[ \t]{0,9}(?:\r?\n|$)/;

/** Whether a text says at its head, or where it speaks to whom, that agents are to read it. */
export function speaksToAgents(text: string): boolean {
  const start = text.replace(/^\uFEFF/, "");
  if (!start.startsWith("---")) return false;
  const end = ENDS_HEADER.exec(start.slice(3, 10_000));
  return end !== null && HEADER_KEYS.test(start.slice(3, 3 + end.index));
}
