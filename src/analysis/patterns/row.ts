import type { Severity } from "../../domain/findings.ts";

/**
 * What foreign input can do where it must not get to, one word for each way in which it has to be made harmless: what is safe in a
 * shell is not yet safe in SQL.
 */
export const DANGERS = [
  "sql",
  "nosql",
  "shell",
  "code",
  "path",
  "url",
  "redirect",
  "html",
  "template",
  "regex",
  "log",
  "header",
  "prototype",
  "xml",
  "data",
  "query",
  "format",
  "browser",
  "resource",
] as const;
export type Danger = (typeof DANGERS)[number];

/** Looks at nodes that a file may cost: some for each of its characters, so that time grows with size and no faster. */
export const LOOKS = { least: 200_000, perCharacter: 3 };

interface Row {
  /** `<theme>/<what>`: people see it as the rule and switch it off by it. */
  readonly id: string;
  /** The name by which the field knows it: "Path traversal". Rows that share an id share it. */
  readonly title: string;
  /** Number in the Common Weakness Enumeration. */
  readonly cwe: number;
  readonly severity: Severity;
  /** Three sentences: what is so, what an attacker does with it, the smallest change that mends it. */
  readonly words: { readonly what: string; readonly attack: string; readonly mend: string };
  readonly fix?: Fix;
  /** Ids, parted by blanks, of rows that say the same and more: where one of them speaks of the same code, this row is silent. */
  readonly unlessSaid?: string;
  /** Ids of rows that speak of the same input further on its way: where one does, this row is silent. */
  readonly unlessReached?: string;
  /** Two examples: the first is found, the second is silent. A test runs both. */
  readonly wrong: string;
  readonly right: string;
}

/**
 * A place where foreign input does harm. `calls`, `writes` and `tags` are patterns of names, several parted by blanks:
 * `child_process:exec|execSync` (of a package), `mysql|pg:..query` (anywhere below what the package makes), `document.write` (a
 * global), `*.query` (of whatever but other packages, which never blocks; with `on` only where what stands before the last dot is named
 * so), `*!.innerHTML` (a name that proves what it is of), `?exec` (a global that proves nothing), `@response..send` (of what a handler is
 * given: `@request`, `@response`, `@context`).
 */
export interface Sink extends Row {
  readonly danger: Danger;
  readonly calls?: string;
  /** Members that are assigned to: `*.innerHTML`. */
  readonly writes?: string;
  /** Properties of an object by name; `option` of argument 1 is a neighbour. */
  readonly properties?: string;
  /** Attributes of JSX: `dangerouslySetInnerHTML`, `href`. */
  readonly attributes?: string;
  /** Tagged templates. */
  readonly tags?: string;
  /** Text that is put together, where its source text reads so. */
  readonly composes?: RegExp;
  /** What methods return that have such a decorator. Whether it is known what sends it is said by the framework of the file: Express. */
  readonly returnedBy?: RegExp;
  /**
   * What of it is dangerous: a place in the list of arguments, all from a place on, members of the object at a place, or the computed name
   * of the member that is called or written.
   */
  readonly argument?:
    | number
    | "all"
    | "key"
    | { readonly from: number }
    | { readonly at: number; readonly options: string };
  readonly on?: RegExp;
  /** Weakest origin that is told: default a parameter (as info); `source` says nothing of parameters. */
  readonly from?: "source" | "parameter" | "anything";
  /** Below a source only where it is put together with other text. */
  readonly joined?: true;
  /** Even from a source only where it is put together with other text. */
  readonly onlyJoined?: true;
  /** Nothing is said where the way of the input is a guess, through functions that cannot be read. */
  readonly onlySure?: true;
  /** More about the call, by names of `conditions.ts`. */
  readonly when?: Condition;
  readonly unless?: Condition;
}

/** More that has to be so, on the same call. */
export interface Condition {
  readonly argument?: number;
  /** A member of the object at that place, with dots; without it the argument itself. */
  readonly option?: string;
  /** A constant that is one of these, or text that one of these matches. */
  readonly is?: readonly Constant[];
  /** A constant that is none of these. */
  readonly isNot?: readonly Constant[];
  /** It is not there, though an object is (or there is no argument at all). */
  readonly missing?: true;
  /** It is there, whatever it is. */
  readonly present?: true;
  readonly below?: number;
  /** A constant, not empty text: a secret that stands in the code. */
  readonly written?: true;
  /** The source text of the argument or option, where no constant says it. */
  readonly reads?: RegExp;
  /** What the argument or option is, as in patterns: `@request~express.query`. */
  readonly path?: RegExp;
  /** What the call sends is HTML to a browser. */
  readonly sends?: "html";
  /** What is written to surely has no prototype: `Object.create(null)`. */
  readonly withoutPrototype?: true;
  /** The source text of the whole call. */
  readonly text?: RegExp;
  /** The source text of the statement or definition around it, up to it. */
  readonly statement?: RegExp;
  /** The path of what is called, as in patterns: `pg:Pool().query`. */
  readonly callee?: RegExp;
  /** The source text of the function around it. */
  readonly within?: RegExp;
  /** The text of the file. */
  readonly file?: RegExp;
  readonly all?: readonly Condition[];
  readonly any?: readonly Condition[];
  readonly not?: Condition;
}

export type Constant = string | number | boolean | null | RegExp;

/** What is insecure by itself, wherever the values come from. */
export interface Setting extends Row {
  readonly calls?: string;
  readonly on?: RegExp;
  /** Members that are assigned to; the condition's argument 0 is the value. */
  readonly writes?: string;
  /** Properties of an object by name; argument 0 is the value, `option` of argument 1 a neighbour. */
  readonly properties?: string;
  /** Elements of JSX by name; argument 0 is an object of their attributes. */
  readonly elements?: string;
  /** Comparisons of which one side is named so and the other is no constant. */
  readonly compares?: RegExp;
  /** Regular expressions that take exponential time. */
  readonly slow?: true;
  /** Texts of the file that this matches. */
  readonly texts?: RegExp;
  readonly when?: Condition;
  readonly unless?: Condition;
  /** Default 0.8. */
  readonly confidence?: number;
}

/** The smallest change that mends it, where that is one edit; a test runs it over the wrong example. */
export type Fix =
  /** The value that `when` names is replaced by this one, or put where it is missing. */
  | { readonly value: string }
  /** The member that `when` names goes. */
  | { readonly without: true }
  /** What is called or written gets another name. */
  | { readonly names: Readonly<Record<string, string>> }
  /** A part of what `when` names, or of the whole. */
  | { readonly replace: readonly [RegExp, string] }
  /** Behind what `when` names. */
  | { readonly append: string }
  /** Values leave the text of a query and become parameters, where the driver is known. */
  | { readonly values: true };

/** Where foreign input comes from. */
export interface Source {
  readonly id: string;
  /** In words that follow "comes from": "the request". */
  readonly what: string;
  /** Patterns of values and of calls, as in sinks; what lies below them is foreign too. */
  readonly values: string;
  /** Where it does no harm: a person at the machine reads the machine's files anyway. */
  readonly clean?: readonly Danger[];
  /** Anybody on the network, or the person at the machine. */
  readonly remote: boolean;
  /** Mostly it holds what the program put there: said as a remark. */
  readonly unsure?: true;
}

/** What makes input harmless for some dangers (`all` for every one). */
export interface Cleaner {
  readonly calls: string;
  readonly on?: RegExp;
  readonly clean: readonly Danger[] | "all";
}

/** Functions whose parameters are foreign input: handlers by the call that registers them. */
export interface Handler {
  /** Calls that take the handler as an argument. */
  readonly calls: string;
  readonly on?: RegExp;
  /** Only where the first argument is one of these texts. */
  readonly event?: RegExp;
  /** Place of the handler, default any. */
  readonly argument?: number;
  /** The handler is this member of an object at `argument`. */
  readonly member?: string;
  /** What the parameters are, in order: `@request`, `@response`, `@context`, `@input`; `-` for none. */
  readonly parameters: readonly string[];
}

/** Rows by names that go through JSON: several rows share the id of one rule, each with words of its own. In the order of their table. */
export function rowKeys({
  sinks,
  settings,
}: {
  readonly sinks: readonly Sink[];
  readonly settings: readonly Setting[];
}) {
  const keys = new Map<Sink | Setting, string>();
  const counts = new Map<string, number>();
  for (const row of [...sinks, ...settings]) {
    const at = (counts.get(row.id) ?? 0) + 1;
    counts.set(row.id, at);
    keys.set(row, at === 1 ? row.id : `${row.id} ${at}`);
  }
  return keys;
}
