import { createPaint } from "./inline.ts";
import type { Page } from "./markdown.ts";

const INDENT = "   ";
const NARROWEST = 60;
/** Longer lines are hard to read, however wide the terminal is. */
const WIDEST = 110;

/** Where the story appears: steps on standard output, what it waits for on standard error. */
export interface Screen extends Page {
  /** The line that a step begins with; steps are counted. */
  step(heading: string): void;
  /** The line that a story begins with, before its steps. */
  chapter(name: string): void;
  /** Lines under the step; an empty one keeps two things apart. */
  say(...lines: readonly string[]): void;
  /** One line that is written over and over; nothing where nobody watches. */
  progress(text: string): void;
}

/** `quiet` tells no story, so standard output is free for the report. */
export function createScreen({ quiet }: { readonly quiet: boolean }): Screen {
  const { stdout, stderr, env } = process;
  const colours = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  const columns = stdout.isTTY ? stdout.columns : WIDEST;
  const paint = createPaint(colours);
  let steps = 0;
  let isProgressShown = false;
  let isApart = false;
  const progress = (text: string) => {
    if (!stderr.isTTY || (text === "" && !isProgressShown)) return;
    stderr.write(`\r\x1b[K${text === "" ? "" : `${INDENT}${text}`}`);
    isProgressShown = text !== "";
  };
  const write = (line: string) => {
    progress("");
    // Two empty lines keep nothing further apart than one.
    if (!quiet && !(line === "" && isApart)) stdout.write(`${line}\n`);
    isApart = line === "";
  };
  return {
    paint,
    width: Math.min(WIDEST, Math.max(NARROWEST, columns)) - INDENT.length,
    progress,
    step: (heading) => {
      steps += 1;
      write("");
      write(paint("bold", `${steps}  ${heading}`));
    },
    chapter: (name) => {
      write("");
      write(paint("bold", `── ${name} ──`));
    },
    say: (...lines) => {
      for (const line of lines) write(line === "" ? "" : INDENT + line);
    },
  };
}
