import { StringDecoder } from "node:string_decoder";
import type { Redact } from "../../safety/redact.ts";
import { cleanText } from "../data/clean-text.ts";
import { cutLine } from "../data/cut.ts";

/** A program that prints without line breaks is passed on in pieces of this size. */
const LONGEST_PENDING = 16_384;

type Stream = "stdout" | "stderr";

export interface LineStream {
  readonly push: (chunk: Buffer, stream: Stream) => void;
  /** Passes on what stands behind the last line break. */
  readonly end: () => void;
}

/** Output as it comes, line by line, so that a secret is seen as a whole and taken out before anybody reads it. */
export function cleanedLines(redact: Redact, emit: (text: string) => void): LineStream {
  const pending: Record<Stream, { readonly decoder: StringDecoder; text: string }> = {
    stdout: { decoder: new StringDecoder("utf8"), text: "" },
    stderr: { decoder: new StringDecoder("utf8"), text: "" },
  };
  const pass = (text: string) => {
    if (text === "") return;
    const { lines } = cleanText(text, { redact, prose: false });
    emit(`${lines.map((line) => cutLine(line)).join("\n")}\n`);
  };
  return {
    push: (chunk, stream) => {
      const held = pending[stream];
      held.text += held.decoder.write(chunk);
      const end = held.text.length > LONGEST_PENDING ? held.text.length : held.text.lastIndexOf("\n");
      if (end < 0) return;
      pass(held.text.slice(0, end));
      held.text = held.text.slice(end).replace(/^\n/, "");
    },
    end: () => {
      for (const held of Object.values(pending)) pass(held.text + held.decoder.end());
    },
  };
}
