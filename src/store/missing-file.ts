import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isFile } from "./connection.ts";

/** The path of a database file that does not exist, as the address writes it. Undefined if it exists, or for a server. */
export function missingFile(url: string): string | undefined {
  if (!isFile(url)) return undefined;
  const [written = ""] = url.slice("file:".length).split("?");
  // "file:///var/forge.db" is an address, "file:./data/forge.db" a path behind a word.
  const path = written.startsWith("//") ? fileURLToPath(`file:${written}`) : decodeURIComponent(written);
  return existsSync(path) ? undefined : path;
}
