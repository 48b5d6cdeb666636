import type { ChangedFile } from "../../domain/hunks.ts";
import { isProgramText, type Language, languageOf, languageOfText } from "../languages.ts";

/** A text that is a program because something runs it, and not by its own name. */
export interface Program {
  /** What its runner takes it for. */
  readonly language: Language;
  /** The file that runs it, and the line there where the change wrote that. */
  readonly by: string;
  readonly line?: number;
  /** Nothing ran it before, so that none of its lines was read as a program. */
  readonly anew: boolean;
}

/** Whether the name of a file says that it is no program, or nothing at all. */
export function isNoProgram(path: string): boolean {
  return !isProgramText(languageOf(path));
}

/** Whether a change makes a text executable that is no program by its name and does not say in its first line what runs it. */
export function isMadeExecutable({ path, mode, oldMode, status }: ChangedFile, content: unknown): boolean {
  const isNew = oldMode === undefined ? status === "added" || status === "copied" : oldMode !== EXECUTABLE;
  if (mode !== EXECUTABLE || !isNew || !Buffer.isBuffer(content)) return false;
  return isNoProgram(path) && languageOfText(content) === undefined && !content.includes(0);
}

const EXECUTABLE = "100755";
