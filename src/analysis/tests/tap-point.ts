/** One result of a TAP report. */
export interface TapPoint {
  /** How many tests stand around it. */
  readonly depth: number;
  readonly ok: boolean;
  readonly number: number | undefined;
  readonly name: string;
  readonly directive: "SKIP" | "TODO" | undefined;
}

/** Reads a line of TAP; undefined where it is no result. */
export function readTapPoint(line: string): TapPoint | undefined {
  const point = /^((?: {4})*)(not )?ok(?=\s|$)(?: (\d{1,9})\b)?(?: - | )?(.*)$/.exec(line);
  if (!point) return undefined;
  const [, indent = "", not, number, title = ""] = point;
  // A hash with a backslash before it is a part of the name, where somebody may well write `# TODO`.
  const directive = /(?:^|\s)# {0,8}(SKIP|TODO)\b/i.exec(title);
  const shown = directive === null ? title : title.slice(0, directive.index);
  return {
    depth: indent.length / 4,
    ok: not === undefined,
    number: number === undefined ? undefined : Number(number),
    // How long it took would make another name of it each time.
    name: shown
      .replace(/ # time=[\d.]{1,20}\w{0,3}(?: \{)?$/, "")
      .replace(/\\([#\\])/g, "$1")
      .trim(),
    directive: directive === null ? undefined : directive[1]?.toUpperCase() === "SKIP" ? "SKIP" : "TODO",
  };
}
