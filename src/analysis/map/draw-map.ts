import type { OutlineSymbol } from "../child/protocol.ts";
import { type ImportGraph, rankFiles } from "./import-graph.ts";

/** Code has about four characters a token; declarations with their marks a few less. */
const CHARACTERS_PER_TOKEN = 3.5;
const SYMBOLS_OF_FILE = 25;

export interface MapRequest {
  /** Files that the work is about; the map is drawn around them. */
  readonly focus: readonly string[];
  readonly budgetTokens: number;
  /** Where to begin, counted from 1; at the nearest when left out. */
  readonly fromFile?: number;
}

export interface DrawnMap {
  /** One file a block, nearest first. */
  readonly blocks: readonly string[];
  /** Files that are not shown any more. */
  readonly left: number;
}

/** The files nearest to the focus with what they declare, as many as the budget holds. */
export function drawMap(graph: ImportGraph, { focus, budgetTokens, fromFile = 1 }: MapRequest): DrawnMap {
  const ranks = rankFiles(graph, focus);
  const focused = new Set(focus);
  // What the work is about comes first whatever its rank: a file that all import can draw more walkers than where they start.
  const nearness = (path: string) => (focused.has(path) ? 1 : 0) + (ranks.get(path) ?? 0);
  const ordered = [...ranks.keys()].sort((a, b) => nearness(b) - nearness(a) || (a < b ? -1 : 1));
  const blocks: string[] = [];
  let left = budgetTokens * CHARACTERS_PER_TOKEN;
  for (const path of ordered.slice(fromFile - 1)) {
    const block = drawFile(graph, path, focused.has(path));
    left -= block.length + 1;
    if (left < 0 && blocks.length > 0) break;
    blocks.push(block);
  }
  return { blocks, left: ordered.length - (fromFile - 1) - blocks.length };
}

function drawFile(graph: ImportGraph, path: string, focused: boolean): string {
  const symbols = graph.symbols.get(path) ?? [];
  const importers = graph.importers.get(path)?.size ?? 0;
  const uses = importers === 0 ? "" : ` (imported by ${importers})`;
  // In a file of the focus everything counts; of another only what it offers.
  const shown = symbols.filter(({ exported }) => focused || exported);
  const rows = shown.slice(0, SYMBOLS_OF_FILE).map(drawSymbol);
  const more = shown.length - SYMBOLS_OF_FILE;
  const imports = focused ? [...(graph.imports.get(path) ?? [])] : [];
  return [
    `${path}${uses}${focused ? " *" : ""}`,
    ...(imports.length === 0 ? [] : [`  imports ${imports.join(", ")}`]),
    ...rows,
    ...(more > 0 ? [`  [cut here: ${more} more declarations; read the file]`] : []),
  ].join("\n");
}

function drawSymbol({ line, signature, kind }: OutlineSymbol): string {
  return `  ${line}: ${kind === "method" ? "  " : ""}${signature}`;
}
