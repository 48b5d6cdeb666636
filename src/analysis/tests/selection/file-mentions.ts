import { posix } from "node:path";
import { languageOfCode } from "../test-names.ts";
import { holdsPlugin } from "./adds-imports.ts";
import { foundBy } from "./found-by-packages.ts";
import { mayLoad } from "./harmless-packages.ts";
import { BUILT, COMMON, nameOf, type PathNames, plain, withoutEnding } from "./path-names.ts";
import { factsOf, isFact, noteFacts, type TextFacts } from "./text-facts.ts";
import { type Token, tokenize } from "./tokenize.ts";

/** Something in a text that can mean a file: under `key` it is found. */
export interface Mention {
  readonly key: string;
  /** What stands before the name, from the nearest root that it shows. */
  readonly within: readonly string[];
  /** What it leads to from its own folder, where something is there. */
  readonly exact?: string;
  /** It begins at a folder, its own or that of the process. */
  readonly relative?: boolean;
  /** It means that alone. */
  readonly only: boolean;
  /** It names one file, and is no folder, pattern or bare word. */
  readonly names: boolean;
  /** A word that is a path only where the file, or one that it imports, opens files. */
  readonly word: boolean;
  /** It is what an import asks for. */
  readonly imported: boolean;
  /** A package that is imported looks for it. */
  readonly byPackage?: boolean;
  /** It is a module in a text, as `"shop.urls"`, which is nothing but loaded. */
  readonly isModule?: boolean;
  /** It means all modules of a package where the file, or one that it imports, lists these. */
  readonly isListed?: boolean;
}

/** What a text mentions, and what else it does. */
export interface FileMentions extends TextFacts {
  /** Where it is loaded as settings are, it may import code that others use without an import. */
  readonly plugs: boolean;
  readonly mentions: readonly Mention[];
}

/** Texts in which a bare word can be a name: templates, and settings and scripts without quotes. */
const LOOSE =
  /\.(?:hbs|handlebars|mustache|ejs|pug|jade|njk|nunjucks|liquid|eta|twig|j2|jinja2?|html?|haml|erb|slim|tmpl|gohtml|ya?ml|toml|sh|bash|mk|s[ac]ss|less|styl|graphql|gql|proto|sql|ini|cfg|conf|tex)$|(?:^|\/)(?:Makefile|Dockerfile|justfile)$/i;
const LONGEST_CHAIN = 8;
const ENTRY_POINTS = /(?:^|\.)(?:iter_entry_points|entry_points|stevedore|load_entry_point)$/;

/** What is known of the repository when a text is read. */
export interface TextContext {
  readonly known: PathNames;
  /** Names under which programs are started. */
  readonly programs: ReadonlySet<string>;
  /** Packages of npm that come from elsewhere. */
  readonly foreign: ReadonlySet<string>;
  /** Folders of the repository by the names under which manifests ask for them. */
  readonly folders: ReadonlyMap<string, string>;
}

/** What a text mentions of the paths that there are, in one pass. */
export function readMentions(
  path: string,
  text: string,
  { known, programs, foreign, folders }: TextContext,
): FileMentions {
  const found = new Map<string, Mention>();
  const facts = factsOf(text, languageOfCode(path) === "python");
  const loose = LOOSE.test(path);
  const language = languageOfCode(path);
  const add = (mention: Mention) => {
    const { key, within, names, exact = "", byPackage = false } = mention;
    found.set(`${key} ${within.join("/")} ${names} ${byPackage} ${exact}`, mention);
  };
  const addFound = (name: string) => {
    for (const key of foundBy(name))
      add({ key, within: [], only: false, imported: false, names: false, word: false, byPackage: true });
  };
  const packages = new Set<string>();
  let pending: Token[] = [];
  const wants = (word: string) =>
    ENTRY_POINTS.test(word) ||
    (word.includes(".") ? word.split(".").some(isFact) || known.names.has(word.toLowerCase()) : isFact(word));
  const isWorded = loose || language === "python" || language === "go";
  for (const token of tokenize(text, { words: isWorded, wants })) {
    noteFacts(token, facts);
    // What packages are registered under is looked up by any program that asks for it.
    if (language === "python" && ENTRY_POINTS.test(token.text))
      for (const name of programs)
        add({ key: `program ${name}`, within: [], only: false, imported: false, names: true, word: false });
    if (token.opens && programs.has(token.text))
      add({ key: `program ${token.text}`, within: [], only: false, imported: false, names: true, word: false });
    if (token.imported) {
      const name = packageOf(token.text, language);
      addFound(name);
      const within = folders.get(name)?.toLowerCase().split("/");
      const folder = within?.pop();
      if (within !== undefined && folder !== undefined)
        add({
          key: `folder ${folder}`,
          within,
          only: false,
          imported: true,
          names: true,
          word: false,
          byPackage: true,
        });
      // `import config` of Python asks for no package of npm.
      const isOfScripts = language !== "python" && language !== "go";
      if (isOfScripts && !token.text.startsWith(".")) packages.add(name);
      const isForeign = isOfScripts ? foreign.has(name) : language === "python" && !known.folderNames.has(name);
      if (isForeign && mayLoad(name, language === "python")) facts.tells = true;
      if (isOfScripts && isForeign) continue;
    }
    if (language === "python" && token.text === "INSTALLED_APPS") addFound(token.text);
    pending.push(token);
    if (token.continues && pending.length < LONGEST_CHAIN) continue;
    for (const each of joined(pending, path, known)) {
      if (each.whole && /^(?:\.\.\/?){1,20}$/.test(each.text)) facts.above = true;
      for (const one of withoutFragment(each))
        for (const mention of mentionsOf(one, { path, language, loose, known })) add(mention);
    }
    pending = [];
  }
  if (nameOf(path) === "package.json") for (const mention of foldersGiven(text)) add(mention);
  return {
    mentions: [...found.values()],
    ...facts,
    plugs: holdsPlugin(text, packages),
    loads: facts.loads || facts.starts,
    reads: facts.reads || facts.lists || facts.starts || facts.loads,
  };
}

/** Values of these say how a program runs, and not where something lies. */
const NO_PLACE = /(?:^|_)(?:ENV|MODE|STAGE|LEVEL|DEBUG|TZ|LANG|COLOR|TARGET|NAME|USER|HOST)$/;

/** Folders that the script of the tests puts into the environment, as `CASES=./cases`: whatever is run may look there. */
function* foldersGiven(scripts: string): Generator<Mention> {
  for (const [, variable = "", path = ""] of scripts.matchAll(
    /\b([A-Z_][A-Z\d_]{0,60})=['"\\]{0,3}([\w./-]{1,200})/g,
  )) {
    const within = path
      .toLowerCase()
      .split("/")
      .filter((part) => part !== "" && part !== "." && part !== "..");
    const folder = within.pop();
    if (folder === undefined || NO_PLACE.test(variable)) continue;
    const place = { within, only: false, imported: false, names: true, word: false, byPackage: true };
    yield { key: `folder ${folder}`, ...place };
  }
}

/** A token, and the file alone of one that means a part of it: `defs.json#/order`. */
function withoutFragment(token: Token): readonly Token[] {
  const at = token.text.indexOf("#", 1);
  const file = at === -1 ? "" : token.text.slice(0, at);
  return /\.\w{1,8}$/.test(file) ? [token, { ...token, text: file }] : [token];
}

function packageOf(specifier: string, language: Place["language"]): string {
  if (language === "python") return specifier.split(".", 1)[0] ?? "";
  const [first = "", second = ""] = specifier.split("/", 2);
  return first.startsWith("@") ? `${first}/${second}` : first;
}

interface Place {
  readonly path: string;
  readonly language: ReturnType<typeof languageOfCode>;
  readonly loose: boolean;
  readonly known: PathNames;
}

/** Literals that are arguments of one call, as the path that they make together where there is one; else each by itself. */
function joined(tokens: readonly Token[], path: string, known: PathNames): readonly Token[] {
  const last = tokens.at(-1);
  if (last === undefined || tokens.length === 1) return tokens;
  for (let from = 0; from < tokens.length - 1; from += 1) {
    const text = tokens
      .slice(from)
      .map((each) => each.text)
      .join("/");
    const isThere = [posix.join(posix.dirname(path), text), text.replace(UPWARDS, "")].some((each) =>
      isKnown(each, known),
    );
    // The members of an array are as likely paths of their own.
    if (isThere) return [...tokens.slice(0, tokens[0]?.listed ? -1 : from), { ...last, text }];
  }
  return tokens;
}

function* mentionsOf(token: Token, { path, language, loose, known }: Place): Generator<Mention> {
  const isModule = language === "python" && token.imported && !token.opens;
  // Settings without quotes name modules as well.
  const dotted = ((token.whole || /\.(?:ini|cfg)$/.test(path)) && /^\w+(?:\.\w+)+$/.test(token.text)) || isModule;
  const text = token.text;
  const parts = text.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
  const last = parts.at(-1);
  if (last === undefined) return;
  const within = parts.slice(0, -1).map((part) => part.toLowerCase());
  const exact = exactOf(text, path, known);
  const only = token.imported || text.startsWith("../");
  const { imported } = token;
  const relative = /^\.{1,2}\/./.test(text);
  const place =
    exact === undefined ? { within, only, imported, relative } : { within, only, imported, relative, exact };
  const isPath = text.includes("/");
  const bareWord = !isPath && !token.imported;
  const name = last.toLowerCase();
  if (known.names.has(name)) yield { key: `name ${name}`, ...place, names: true, word: false };
  const stem = plain(BUILT.test(name) ? withoutEnding(name) : name);
  const mayBeStem = isPath || token.whole || token.imported || (loose && stem.length > 2);
  if (mayBeStem && known.stems.has(stem))
    yield { key: `stem ${stem}`, ...place, names: isPath || token.imported, word: bareWord };
  if (dotted) yield* moduleOf(text, known);
  // What lists the modules of a package is given the package.
  if (isModule) yield* packageOfModule(text, known);
  // A package of Go is a folder; of other languages an import of a folder means one file in it, unless the rest is computed.
  const asFolder = token.whole || (isPath && !isModule) || (loose && !COMMON.has(name));
  const whole = language === "go" || !token.imported || token.holeAfter;
  if (asFolder && whole && known.folderNames.has(name))
    yield { key: `folder ${name}`, ...place, names: false, word: bareWord };
  if (token.holeAfter && !text.endsWith("/") && name.length > 1)
    yield { key: `prefix ${name}`, within, only: false, imported: false, names: false, word: false };
  // A folder or a beginning that is known says more than the end.
  const startsIn = token.started?.toLowerCase().split("/").filter(Boolean).at(-1) ?? "";
  const isBegun = startsIn.length > 1 && startsIn !== "..";
  const isStarted = isBegun && (!token.started?.endsWith("/") || known.folderNames.has(startsIn));
  if (!isStarted && !isPath && name.length > 1 && (token.holeBefore || (token.whole && name.startsWith("."))))
    yield { key: `suffix ${name}`, within, only: false, imported: false, names: false, word: false };
}

/** `shop.cart` means `shop/cart.py`, and perhaps what `shop/cart` begins with. */
function* moduleOf(text: string, known: PathNames): Generator<Mention> {
  const parts = text.toLowerCase().split(".").filter(Boolean);
  for (const length of [parts.length, parts.length - 1]) {
    const stem = plain(parts[length - 1] ?? "");
    if (known.stems.has(stem))
      yield {
        key: `stem ${stem}`,
        within: parts.slice(0, length - 1),
        only: false,
        imported: false,
        names: true,
        word: false,
        isModule: true,
      };
    if (length > 0 && known.folderNames.has(parts[length - 1] ?? ""))
      yield {
        key: "stem init",
        within: parts.slice(0, length),
        only: false,
        imported: false,
        names: true,
        word: false,
        isModule: true,
      };
  }
}

function* packageOfModule(text: string, known: PathNames): Generator<Mention> {
  const parts = text.toLowerCase().split(".").filter(Boolean);
  const last = parts.at(-1) ?? "";
  if (known.folderNames.has(last))
    yield {
      key: `folder ${last}`,
      within: parts.slice(0, -1),
      only: false,
      imported: false,
      names: false,
      word: false,
      isModule: true,
      isListed: true,
    };
}

const UPWARDS = /^(?:\.{1,2}\/)+/;

/** What a path leads to from the folder of its file; the program that reads it may start elsewhere where there is nothing. */
function exactOf(text: string, path: string, known: PathNames): string | undefined {
  if (!text.startsWith(".") || !text.includes("/")) return undefined;
  const there = posix.join(posix.dirname(path), text.replace(/\/{1,8}$/, ""));
  return isKnown(there, known) ? there : undefined;
}

function isKnown(path: string, known: PathNames): boolean {
  const { files, bare, folders } = known;
  if (files.has(path) || bare.has(path) || folders.has(path)) return true;
  return BUILT.test(path) && bare.has(withoutEnding(path));
}
