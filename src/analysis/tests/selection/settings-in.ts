import { posix } from "node:path";

/** Where a program's settings stand. */
export interface SettingsPlace {
  /** Names of files that are its own. */
  readonly file: RegExp;
  /** The part of a `package.json` that is its. */
  readonly member: string;
}

/** What a text says to a program: a file of its own whole, or its part of a `package.json`; otherwise undefined. */
export function settingsIn(path: string, text: string, { file, member }: SettingsPlace): string | undefined {
  const name = posix.basename(path);
  if (file.test(name)) return text;
  if (name !== "package.json" || !text.includes(`"${member}"`)) return undefined;
  try {
    const manifest = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
    const part = Object.hasOwn(manifest, member) ? manifest[member] : undefined;
    return typeof part === "object" && part !== null ? JSON.stringify(part) : undefined;
  } catch {
    return undefined;
  }
}
