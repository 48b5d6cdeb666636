/** One option of a command: how it is typed, and what it does. */
export interface OptionText {
  readonly option: string;
  readonly does: string;
}

/** One command as its help shows it. The help wraps every text to the width of the terminal. */
export interface CommandText {
  readonly name: string;
  readonly group: keyof typeof GROUPS;
  /** The forms of the command, without `forge`. */
  readonly usage: readonly string[];
  /** What it does, in one line of the list of commands. */
  readonly does: string;
  readonly options: readonly OptionText[];
  /** Paragraphs after the options. */
  readonly notes: readonly string[];
}

/** The groups of commands, in the order of the list. */
export const GROUPS = {
  here: "Try it here, without a server or an account",
  server: "Run the server",
  look: "Look at what happened",
} as const;
