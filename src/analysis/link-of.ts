import { posix } from "node:path";
import { languageOf } from "./languages.ts";

/** What a symbolic link comes to. It is never followed: where it leads is read off its text. */
export function linkOf(path: string, target: Buffer | undefined): { readonly reason: string; readonly gap: boolean } {
  if (target === undefined) return { reason: "a symbolic link", gap: true };
  const text = target.toString("utf8");
  const led = posix.normalize(posix.join(posix.dirname(path), text));
  const outside = posix.isAbsolute(text) || led === ".." || led.startsWith("../") || /[\\\0\n]|^[a-z]:/i.test(text);
  // As file systems read it that leave out what is invisible (HFS+), or give short names (NTFS).
  if (outside || /(?:^|\/)(?:\.git|git~\d)[. ]*(?:\/|$)/i.test(led.replace(/[\p{Cf}\p{DI}]/gu, "")))
    return { reason: "a symbolic link to outside", gap: true };
  const language = languageOf(path);
  // By its name the link is code, and what it leads to was never read as such.
  const renames = language !== undefined && languageOf(led)?.name !== language.name;
  return renames
    ? { reason: `a symbolic link that makes ${language.name} of it`, gap: true }
    : { reason: "a symbolic link", gap: false };
}
