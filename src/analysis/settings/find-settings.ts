import { defined } from "../../domain/defined.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { ChildFile } from "../child/protocol.ts";
import { type CommandDanger, findCommandDangers } from "../commands/command-dangers.ts";
import { namePath } from "../name-path.ts";
import { findLineStarts, lineText, nearestAddedLine, type SourceFile } from "../source-file.ts";
import { type AgentFile, agentFileOf, speaksToAgents } from "./agent-files.ts";
import { ordersIn } from "./orders.ts";
import { findBuildBackends, findSettingDangers } from "./setting-dangers.ts";

/** What is read of a file. */
type Read = Pick<SourceFile, "path" | "text" | "oldText" | "addedLines" | "lineStarts">;

/** What the added lines of a file tell agents, and what settings of agents, editors and builds start or permit there. */
export async function findSettings({ path, text, oldText, addedLines }: ChildFile): Promise<CommandDanger[]> {
  if (path === undefined) throw new Error("settings are read by the path of their file");
  const lineStarts = findLineStarts(text);
  return dangersOf({ path, text, addedLines: new Set(addedLines), lineStarts, ...defined({ oldText }) }, takeTurns());
}

/** What a file is to agents, by its path or by how it begins; undefined for all others. */
export function kindOf({ path, text }: Pick<SourceFile, "path" | "text">): AgentFile | undefined {
  const kind = agentFileOf(path);
  if (kind !== undefined) return kind;
  return /\.(?:md|markdown)$/i.test(path) && speaksToAgents(text) ? { is: "instructions", of: "agents" } : undefined;
}

async function dangersOf(file: Read, turn: ReturnType<typeof takeTurns>): Promise<CommandDanger[]> {
  const kind = kindOf(file);
  if (kind === undefined) return findBuildBackends(file);
  const orders = ordersIn(file.text, file.addedLines).map((line): CommandDanger => ({ ...ORDER, line }));
  if (kind.is === "instructions") {
    const [first] = file.addedLines;
    const commands = [...file.addedLines].map((line) => {
      const text = lineText(file, line);
      // Commands of Claude and the like run what stands behind `!` before anybody reads them.
      return { line, text, atInstall: /!`/.test(text) };
    });
    const said = first === undefined || kind.perhaps ? [] : [{ ...SPEAKS, line: orders[0]?.line ?? first }];
    return [...(orders.length > 0 ? orders : said), ...(await findCommandDangers(commands, turn))];
  }
  const found = findSettingDangers(file, kind);
  // These run only when a person starts them.
  const isStarted = STARTED_BY_PEOPLE.test(namePath(file.path)) && !/folderOpen/.test(file.text);
  const commands = found.flatMap(({ line, command }) =>
    command === undefined ? [] : [{ line: addedNear(file, line), text: command, atInstall: !isStarted }],
  );
  const dangers = (await findCommandDangers(commands, turn)).filter(({ rule }) => rule !== "commands/code-at-install");
  const starts = found.map(({ command: _command, ...danger }) => ({
    ...danger,
    ...defined({ severity: isStarted && danger.severity === "warning" ? ("info" as const) : undefined }),
    line: addedNear(file, danger.line),
  }));
  return [...orders, ...starts, ...dangers];
}

const STARTED_BY_PEOPLE = /(?:^|\/)\.vscode\/(?:tasks|launch)\.json$/i;

/** A value is new where what stands around it changed: that line was added. */
function addedNear(file: Read, line: number): number {
  return file.addedLines.has(line) ? line : (nearestAddedLine(file, line) ?? line);
}

const SPEAKS: Omit<CommandDanger, "line"> = {
  rule: "settings/speaks-to-agents",
  severity: "info",
  confidence: 0.9,
  message: "This tells agents what to do.",
  why: "Agents obey it in later work on this repository: a person should want each sentence of it.",
};
const ORDER: Omit<CommandDanger, "line"> = {
  rule: "settings/orders-to-agents",
  severity: "error",
  confidence: 0.85,
  message:
    "This tells agents to pass over what they find, to approve whatever comes, or to hide something from people.",
  why: "Agents that review or change this repository obey it, and nobody sees what they left out.",
};
