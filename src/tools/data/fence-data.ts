import { createHash } from "node:crypto";
import { visibleText } from "../../safety/visible-text.ts";

/**
 * Foreign text between two marks that it cannot imitate: their id is made from the text until the text does not hold it. The same text
 * gets the same marks, so that a conversation resent is byte for byte the same.
 * @param from what it is, in a few words: a path, "git log"; may itself be foreign
 */
export function fenceData(from: string, text: string): string {
  let id = digest(text);
  while (text.includes(id)) id = digest(`${id}${text}`);
  return `<data id="${id}" from="${label(from)}">\n${text}${text === "" || text.endsWith("\n") ? "" : "\n"}</data id="${id}">`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** One short line without anything that could end the mark. */
function label(from: string): string {
  const line = visibleText(from)
    .replace(/[\s"<>]+/g, " ")
    .trim();
  return line.length > 160 ? `${line.slice(0, 157)}...` : line;
}
