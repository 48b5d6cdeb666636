import { basename } from "node:path";
import type { Kind } from "./stretches.ts";

const LINTERS = /^(?:biome|ruff|shellcheck)$/;

/** What a process of Forge is for, by its command line: everything starts through `prlimit` or a shell that lays out the sandbox. */
export function programOf(commandLine: readonly string[]): { readonly kind: Kind; readonly name: string } {
  const words = commandLine.map((word) => basename(word));
  if (words.includes("bwrap")) {
    const name = words.slice(words.lastIndexOf("--") + 1).join(" ");
    const isOurs = words.some((word) => LINTERS.test(word)) || commandLine.some((word) => OWN_CHILD.test(word));
    return { kind: isOurs ? "reader" : "sandbox", name: name.slice(0, 60) };
  }
  const git = words.indexOf("git");
  if (git === -1)
    return {
      kind: "reader",
      name: words
        .slice(words.lastIndexOf("--") + 1)
        .join(" ")
        .slice(0, 60),
    };
  const verb = words.slice(git + 1).find((word) => /^[a-z][a-z-]+$/.test(word));
  return { kind: "git", name: verb ?? "git" };
}

const OWN_CHILD = /\/analysis\/child\/main\.ts$/;
