/** What a file shows of the settings of its formatter. */
export interface FormatStyle {
  readonly indentStyle: "space" | "tab";
  readonly indentWidth: number;
  readonly quoteStyle: "single" | "double";
  readonly semicolons: "always" | "asNeeded";
  readonly lineEnding: "lf" | "crlf";
}

/** Prettier's default, and the two that people choose instead. */
export const LINE_WIDTHS = [80, 100, 120] as const;

/** Reads the settings off a text; where it shows nothing, Prettier's defaults. */
export function detectStyle(text: string): FormatStyle {
  const indents = [...text.matchAll(/^(\t+| +)\S/gm)].map((match) => match[1] ?? "").slice(0, 500);
  const tabs = indents.filter((indent) => indent.startsWith("\t")).length;
  const spaces = indents.filter((indent) => indent.startsWith(" ") && indent.length > 1).map((indent) => indent.length);
  const single = text.match(/'[^'"\n]*'/g)?.length ?? 0;
  const double = text.match(/"[^'"\n]*"/g)?.length ?? 0;
  const ended = text.match(/;\r?$/gm)?.length ?? 0;
  const open = text.match(/^(?:import|const|let|return|export const)\b.*[\w)'"`]\r?$/gm)?.length ?? 0;
  return {
    indentStyle: tabs > spaces.length ? "tab" : "space",
    indentWidth: spaces.length > 0 && Math.min(...spaces) >= 4 ? 4 : 2,
    quoteStyle: single > double ? "single" : "double",
    semicolons: ended >= open ? "always" : "asNeeded",
    lineEnding: text.includes("\r\n") ? "crlf" : "lf",
  };
}

/** Biome's formatter with these settings and nothing else switched on. */
export function formatConfiguration(style: FormatStyle, lineWidth: number): unknown {
  const { indentStyle, indentWidth, lineEnding, quoteStyle, semicolons } = style;
  return {
    root: true,
    vcs: { enabled: false },
    linter: { enabled: false },
    assist: { enabled: false },
    formatter: { enabled: true, indentStyle, indentWidth, lineWidth, lineEnding },
    javascript: { formatter: { quoteStyle, semicolons }, parser: { unsafeParameterDecoratorsEnabled: true } },
  };
}
