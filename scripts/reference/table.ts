/** A table of Markdown. Pipes and line breaks in cells would end a cell, so they are written in another way. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellOf).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function cellOf(text: string): string {
  return text.replaceAll("\n", " ").replaceAll("|", "\\|").trim();
}

/** The first line of a page that a program writes. */
export function writtenFrom(source: string): string {
  return `This page is written from \`${source}\` by \`npm run docs:reference\`. A test fails if it is out of date.`;
}

/** The text as the beginning of a sentence. */
export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
