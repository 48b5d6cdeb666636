import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { ForgeError } from "../../domain/errors.ts";

/** A prompt of Forge: prose in a file of its own, so that it is read, discussed and changed like code. */
export interface Prompt {
  readonly name: string;
  /** `3+9f2c1ab0`: the number people raise on a change of meaning, and the content's hash, which changes by itself. */
  readonly version: string;
  readonly text: string;
}

const HEADER = /^---\nprompt: ([a-z][a-z-]*)\nversion: (\d+)\n---\n/;

/**
 * Reads a prompt from beside this file.
 * @throws ForgeError `prompt_invalid` where its header does not name it
 */
export function loadPrompt(name: string): Prompt {
  const content = readFileSync(new URL(`./${name}.md`, import.meta.url), "utf8").replaceAll("\r\n", "\n");
  const header = HEADER.exec(content);
  if (header?.[1] !== name) {
    throw new ForgeError("prompt_invalid", `The prompt ${name}.md must begin with its name and version.`, {
      source: "logic",
      recoverability: "none",
    });
  }
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 8);
  return { name, version: `${header[2]}+${hash}`, text: content.slice(header[0].length).trim() };
}
