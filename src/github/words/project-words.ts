import { count } from "./wording.ts";

/** Languages that are listed; the others are counted. */
const MOST_LANGUAGES = 4;

/** The languages of a project, as `forge init` and the page after the installation say them. */
export function languageWords(
  languages: readonly { readonly name: string; readonly files: number; readonly isRead: boolean }[],
): string {
  if (languages.length === 0) return "no code in a language that Forge knows, except build output";
  const named = languages.slice(0, MOST_LANGUAGES);
  const counts = named.map(({ name, files }) => `${name} (${count(files, "file")})`);
  const more = languages.length - named.length;
  const unread = named.flatMap(({ name, isRead }) => (isRead ? [] : [name]));
  const gap = unread.length === 0 ? "" : `; no static analyzer for ${unread.join(", ")}`;
  return `${counts.join(", ")}${more > 0 ? `, ${more} more` : ""}${gap}`;
}

/** How a project is tested. @param runner as it may be shown */
export function testWords(runner: string, files: number): string {
  return `${runner}, ${files === 0 ? "no file is named like a test" : count(files, "file")}`;
}
