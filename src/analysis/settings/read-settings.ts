import { namePath } from "../name-path.ts";

/** A value of a settings file, with the keys that lead to it; of a list each member is one. */
export interface Setting {
  readonly keys: readonly string[];
  readonly value: string;
  /** From 1. */
  readonly line: number;
}

const MOST_SETTINGS = 20_000;
const DEEPEST = 100;

/** The values of a settings file in JSON with comments, or in lines of keys and values as TOML, YAML and the like have them. Never throws. */
export function readSettings(path: string, text: string): Setting[] {
  const isJson = /\.(?:jsonc?|code-workspace|sublime-\w+)$/i.test(namePath(path)) || /^[\s\uFEFF]{0,100}\{/.test(text);
  return isJson ? readJson(text) : readLines(text);
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*|[{}[\],:\n]|[^\s"{}[\],:/]+|\//g;

/** One pass without recursion; what is no JSON is read as far as it goes. */
function readJson(text: string): Setting[] {
  const settings: Setting[] = [];
  const keys: (string | undefined)[] = [];
  const lists: boolean[] = [];
  let line = 1;
  let key: string | undefined;
  let last: string | undefined;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const [token] = found;
    if (token === "\n") line += 1;
    else if (token === "/*") {
      const end = text.indexOf("*/", TOKEN.lastIndex);
      const to = end === -1 ? text.length : end + 2;
      // Within the comment only: a search for the next line break could read the whole rest for each comment.
      line += text.slice(found.index, to).split("\n").length - 1;
      TOKEN.lastIndex = to;
    } else if (token.startsWith("//") || token === "/") continue;
    else if (token === ":") key = last;
    else if (token === "{" || token === "[") {
      if (keys.length >= DEEPEST) return settings;
      keys.push(key);
      lists.push(token === "[");
      key = undefined;
    } else if (token === "}" || token === "]") {
      keys.pop();
      lists.pop();
      key = undefined;
    } else if (token === ",") key = undefined;
    else {
      last = token.startsWith('"') ? unescaped(token) : token;
      if (key === undefined && lists.at(-1) !== true) continue;
      const path = [...keys, key].filter((each) => each !== undefined);
      settings.push({ keys: path, value: last, line });
      if (settings.length >= MOST_SETTINGS) return settings;
    }
  }
  return settings;
}

function unescaped(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token.replace(/^"|"$/g, "");
  }
}

const HEADER = /^\s{0,40}\[{1,2}([^\]]{1,200})\]{1,2}\s{0,40}(?:#.*)?$/;
const PAIR = /^(?:- )?["']?([\w.@/-]{1,120})["']?[ \t]{0,9}[:=](?!=)/;

/** Keys stand before a colon or an equals sign; those of YAML lie in one another by their indentation, those of TOML behind a header. */
function readLines(text: string): Setting[] {
  const settings: Setting[] = [];
  let header: readonly string[] = [];
  let open: { readonly indent: number; readonly key: string }[] = [];
  for (const [at, whole] of text.split("\n").entries()) {
    if (settings.length >= MOST_SETTINGS) break;
    const written = whole.slice(0, 4_000).trimEnd();
    if (/^\s*(?:#|;|$)/.test(written)) continue;
    const title = HEADER.exec(written)?.[1];
    if (title !== undefined && !written.includes("=")) {
      header = title.split(".").map((each) => each.replace(/["'\s]/g, ""));
      open = [];
      continue;
    }
    const pair = PAIR.exec(written.trimStart());
    const indent = written.length - written.trimStart().length;
    if (pair === null) {
      const keys = [...header, ...open.filter((each) => each.indent <= indent).map(({ key }) => key)];
      settings.push({ keys, value: bare(written.trim().replace(/^- /, "")), line: at + 1 });
      continue;
    }
    const [{ length }, key = ""] = pair;
    const value = written.trimStart().slice(length).trimStart();
    open = [...open.filter((each) => each.indent < indent), { indent, key }];
    settings.push({ keys: [...header, ...open.map((each) => each.key)], value: bare(value), line: at + 1 });
  }
  return settings.filter(({ value }) => value !== "");
}

function bare(value: string): string {
  return value.replace(/^["']|["'],?$/g, "");
}
