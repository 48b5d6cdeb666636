/** `from app import db`: the module `app` with the name `db`. Of `import app.db` there are no names. */
interface PythonImport {
  readonly module: string;
  readonly names: readonly string[];
}

/** Where an import may begin: with a line, or behind another statement on it. */
const START = /(?:^\ufeff?|[;:])[ \t\f]{0,200}(?=(?:from|import)\b)/gm;
const PART = /[^\S\n]{1,1000}|\\\r?\n|(\n)|#[^\n]*|(\.+|[\w\u0080-\uffff]+|[(),*])/y;
const WORD = /^[\w\u0080-\uffff]/;
const KEYWORDS = new Set(["from", "import", "as"]);
/** In characters; a longer name leads to no file. */
const LONGEST = 300;

/**
 * All that a text asks for that may be a module: of `from app import db` the module `app` and `app:db`, which is a name of it or a module.
 * Found without a parser, on however many lines an import stands; what a string of several lines holds counts as well.
 */
export function pythonModules(text: string): Set<string> {
  const found = new Set<string>();
  for (const { module, names } of pythonImports(text)) {
    found.add(module);
    for (const name of names) found.add(`${module}:${name}`);
  }
  return found;
}

/** What was asked for, as one name: `app.db` of `app:db`, `.db` of `.:db`. */
export function moduleAsked(asked: string): string {
  return asked.replace(/(\.?):/, (_, dot: string) => dot || ".");
}

function* pythonImports(text: string): Generator<PythonImport> {
  START.lastIndex = 0;
  for (let at = 0; ; ) {
    START.lastIndex = at;
    const start = START.exec(text);
    if (start === null) return;
    const statement = new Statement(text, start.index + start[0].length);
    yield* statement.read();
    // What was read is not looked through again.
    at = Math.max(statement.at, start.index + start[0].length + 1);
  }
}

/** An import, word by word. */
class Statement {
  readonly #text: string;
  at: number;
  /** Where to go on when the last word is not taken: behind ends of lines and comments, which are never looked through again. */
  #before = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  read(): readonly PythonImport[] {
    if (this.#take() === "import") return this.#list(false).map((module) => ({ module, names: [] }));
    const module = this.#name(false);
    if (module === "" || this.#take() !== "import") return [];
    const isWithin = this.#takes("(", false);
    return [{ module, names: this.#list(isWithin) }];
  }

  /** Names with commas between them, without those that they are given here. */
  #list(isWithin: boolean): string[] {
    const names: string[] = [];
    do {
      const name = this.#name(isWithin);
      if (name === "") break;
      names.push(name);
      if (this.#takes("as", isWithin)) this.#name(isWithin);
    } while (this.#takes(",", isWithin));
    return names;
  }

  /** A name with dots in it, or nothing. */
  #name(isWithin: boolean): string {
    let name = "";
    for (let isOpen = true; ; ) {
      const part = this.#take(isWithin);
      const isWord = WORD.test(part);
      if (KEYWORDS.has(part) || !(isWord ? isOpen : part.startsWith("."))) {
        this.at = this.#before;
        return name;
      }
      isOpen = !isWord;
      if (name.length <= LONGEST) name += part.slice(0, LONGEST + 1);
    }
  }

  #takes(wanted: string, isWithin: boolean): boolean {
    if (this.#take(isWithin) === wanted) return true;
    this.at = this.#before;
    return false;
  }

  /** The next word or mark; nothing at the end of the statement. @param isWithin whether it goes on behind the end of a line */
  #take(isWithin = false): string {
    this.#before = this.at;
    for (;;) {
      PART.lastIndex = this.at;
      const found = PART.exec(this.#text);
      if (found === null) return "";
      const [, end, part] = found;
      if (end !== undefined && !isWithin) return "";
      this.at = PART.lastIndex;
      if (part !== undefined) return part;
      if (/^[#\\\n]/.test(found[0])) this.#before = this.at;
    }
  }
}
