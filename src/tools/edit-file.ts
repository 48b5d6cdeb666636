import { z } from "zod";
import { placesOf } from "../domain/places-of.ts";
import type { Redact } from "../safety/redact.ts";
import { cleanText, isProse } from "./data/clean-text.ts";
import { cutLine, cutLines } from "./data/cut.ts";
import { fenceData } from "./data/fence-data.ts";
import { changeFiles, type EditDependencies, editableText, knownContent, requirePath } from "./edit/change-files.ts";
import { type Tool, ToolFailure } from "./tool.ts";

const EditInput = z.object({
  path: z.string().min(1).describe("Path from the root of the repository"),
  old_text: z
    .string()
    .min(1)
    .max(200_000)
    .describe("The text to replace, exactly as it stands in the file, with its indentation, without line numbers"),
  new_text: z.string().max(200_000).describe("What stands there afterwards; empty to delete"),
  replace_all: z.boolean().default(false).describe("Replace every occurrence instead of the only one"),
});
type EditInput = z.infer<typeof EditInput>;

export function editFile(dependencies: EditDependencies & { readonly redact: Redact }): Tool<EditInput> {
  return {
    name: "edit_file",
    description:
      "Replaces a text in a file by another, exactly. The file must have been read since it last changed, and old_text must stand in it once: give enough lines around it, or set replace_all. Gives the changed lines as they read now.",
    inputSchema: EditInput,
    readOnly: false,
    timeoutMs: 30_000,
    run: async ({ path, old_text, new_text, replace_all }, { signal }) => {
      const clean = requirePath(path);
      const content = await knownContent(dependencies, clean, signal);
      if (content === undefined) {
        throw new ToolFailure("not_found", `There is no file ${JSON.stringify(clean)}: use write_file for a new one.`);
      }
      const editable = editableText(clean, content);
      const edited = replaceExactly(editable.text, old_text, new_text, replace_all);
      await changeFiles(dependencies, [{ path: clean, content: editable.bytesOf(edited.text) }], signal);
      const place = { line: edited.line, lines: new_text.split("\n").length };
      const said = edited.count === 1 ? "Replaced one place" : `Replaced ${edited.count} places, the first`;
      return {
        text: `${said} at line ${edited.line}.\n${await showAround(clean, edited.text, place, dependencies.redact)}`,
        metrics: { replaced: edited.count },
      };
    },
  };
}

const AROUND = 3;
const CHARACTERS = 4_000;

/** How a file reads now around an edit, so that the model need not read it again to see whether it went well. */
async function showAround(
  path: string,
  text: string,
  place: { readonly line: number; readonly lines: number },
  redact: Redact,
): Promise<string> {
  const { lines } = await cleanText(text.replace(/\n$/, ""), { redact, prose: isProse(path) });
  const from = Math.max(1, place.line - AROUND);
  const to = Math.min(lines.length, place.line + place.lines - 1 + AROUND);
  const numbered = lines.slice(from - 1, to).map((line, at) => `${from + at}|${cutLine(line)}`);
  const shown = cutLines(numbered, CHARACTERS);
  const end = from + shown.lines.length - 1;
  const cut = shown.left === 0 ? "" : `\nCut here: ${shown.left} more lines. Ask read_file for from_line ${end + 1}.`;
  return `${fenceData(`${path}, lines ${from} to ${end} of ${lines.length}`, shown.lines.join("\n"))}${cut}`;
}

interface Replacement {
  readonly text: string;
  readonly count: number;
  /** 1-based line at which the first one begins. */
  readonly line: number;
}

/**
 * Replaces one text by another, exactly as it stands.
 * @throws {ToolFailure} `no_match` or `many_matches`, saying where it nearly fits or which lines it could be
 */
function replaceExactly(text: string, oldText: string, newText: string, all: boolean): Replacement {
  if (oldText === newText) throw new ToolFailure("no_change", "old_text and new_text are the same.");
  const places = placesOf(text, oldText);
  const [first] = places;
  if (first === undefined) throw new ToolFailure("no_match", explainMissing(text, oldText));
  if (places.length > 1 && !all) {
    const lines = places.slice(0, 10).map((at) => lineAt(text, at));
    const more = places.length > 10 ? ` and ${places.length - 10} more` : "";
    throw new ToolFailure(
      "many_matches",
      `old_text stands there ${places.length} times, at lines ${lines.join(", ")}${more}: give more of the lines around it, or set replace_all.`,
    );
  }
  const kept = places.map((at, index) => text.slice(at + oldText.length, places[index + 1]));
  return { text: [text.slice(0, first), ...kept].join(newText), count: places.length, line: lineAt(text, first) };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

function explainMissing(text: string, oldText: string): string {
  const wanted = plainLines(oldText);
  const there = plainLines(text);
  const [at] = placesOf(there, wanted);
  if (at !== undefined && wanted.some((line) => line !== "")) {
    return `old_text does not stand there exactly; lines ${at + 1} to ${at + wanted.length} differ from it in white space or hidden characters only: read them again and copy them as they are, without the line numbers.`;
  }
  return "old_text does not stand in the file: read it again and copy the text exactly, without the line numbers.";
}

/** Lines without what is easily miscopied. */
function plainLines(text: string): string[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.replace(/[\s\p{Cf}\p{DI}]+/gu, ""));
}

const WriteInput = z.object({
  path: z.string().min(1).describe("Path from the root of the repository; folders that are missing are made"),
  content: z.string().max(1_000_000).describe("The whole text of the file"),
});
type WriteInput = z.infer<typeof WriteInput>;

export function writeFile(dependencies: EditDependencies): Tool<WriteInput> {
  return {
    name: "write_file",
    description:
      "Writes a whole file: a new one, or one that you have read and want to replace entirely. Where only a part of a file is to change, a tool that replaces just that cannot lose the rest. A file that exists must have been read since it last changed.",
    inputSchema: WriteInput,
    readOnly: false,
    timeoutMs: 30_000,
    run: async ({ path, content }, { signal }) => {
      const clean = requirePath(path);
      const before = await knownContent(dependencies, clean, signal);
      await changeFiles(dependencies, [{ path: clean, content: Buffer.from(content) }], signal);
      const lines = content === "" ? 0 : content.replace(/\n$/, "").split("\n").length;
      return {
        text: `${before === undefined ? "Created" : "Replaced"} ${JSON.stringify(clean)}: ${lines} lines.`,
        metrics: { lines },
      };
    },
  };
}
