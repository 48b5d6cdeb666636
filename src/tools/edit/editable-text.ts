import { isUtf8 } from "node:buffer";
import { ToolFailure } from "../tool.ts";

/** The text of a file as it is edited: with `\n` at line ends where the file has `\r\n` throughout, which come back on writing. */
export interface EditableText {
  readonly text: string;
  readonly bytesOf: (text: string) => Buffer;
}

/** @throws {ToolFailure} `binary` where editing as text would damage the file */
export function editableText(path: string, content: Buffer): EditableText {
  if (!isUtf8(content) || content.subarray(0, 8_000).includes(0)) {
    throw new ToolFailure("binary", `${JSON.stringify(path)} is not UTF-8 text and cannot be edited.`);
  }
  const raw = content.toString("utf8");
  const breaks = raw.split("\n").length - 1;
  const windows = breaks > 0 && raw.split("\r\n").length - 1 === breaks;
  if (!windows) return { text: raw, bytesOf: (text) => Buffer.from(text) };
  return {
    text: raw.replaceAll("\r\n", "\n"),
    bytesOf: (text) => Buffer.from(text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n")),
  };
}
