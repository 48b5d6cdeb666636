/** A report above this is not read: it needs ten times its size in memory. */
export const LARGEST_REPORT = 64 * 1024 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text of a tool for people: line feeds only, no other control characters, cut with a mark at `most` characters. */
export function cleanText(text: string, most: number): string {
  // Cut first: a message may have megabytes. What is removed afterwards makes it shorter, never longer.
  const start = text
    .slice(0, most + 1)
    .replace(/\r\n?/g, "\n")
    .replace(CONTROL, "")
    .trim();
  if (text.length <= most) return start.toWellFormed();
  return `${start.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`.toWellFormed();
}

/** JSON of a report, or why there is none. */
export function parseReport(text: string): { readonly json: unknown } | { readonly problem: string } {
  if (text.length > LARGEST_REPORT) return { problem: "its report is larger than 64 MB" };
  if (text.trim() === "") return { problem: "its report is empty" };
  try {
    return { json: JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text) };
  } catch {
    return { problem: "its report is not JSON" };
  }
}
