import { readAhead } from "./patterns/python/read-ahead.ts";

const PIECE = /\{[^{}]{0,200}\}/g;
const NAME = /^\{\s{0,9}([A-Za-z_]\w{0,80})(\.(?:value|name))?\s{0,9}(?:![rsa])?(?::[^{}]{0,40})?\}$/;
const CONSTANT = /^[A-Z][A-Z0-9_]{0,60}$/;
const TYPED = /\b(\w{1,80})\s{0,9}:\s{0,9}(\w{1,80})/g;
const ASSIGNED = /^[^\S\n]{0,80}(\w{1,80})[^\S\n]{0,9}(?::[^=\n]{1,80})?=(?!=)([^\n]{1,300})$/gm;
/** Other ways in which a name gets a value: loops, imports, tuples, a walrus, and `+=`. */
const BOUND =
  /\b(?:for|as|import|global|nonlocal)\b([^\n:]{0,200})|\b(\w{1,80})\s{0,9}(?::=|[-+*/%|&^]{1,2}=)|^([\w, ()*\t]{0,200},[\w, ()*\t]{0,200})=(?!=)/gm;
const PARAMETERS = /\bdef {1,9}\w{1,80}\(([^)]{0,600})/g;
const TABLE = /^(?:(?:self|cls)\.)?[A-Z][A-Z0-9_]{0,60}(?:\.get\((.*)\)|\[[^[\]]{1,200}\])$/;
const NUMBERS = new Set(["int", "float", "bool"]);
/** Assignments of a file that are looked at. */
const MOST = 5_000;

/**
 * Whether all that an f-string takes in is chosen by the program: constants, numbers, members of its enums, and what a table of constants
 * gives. Undecided cases are no.
 * @param code the lines with the f-string
 * @param text of the whole file
 */
export function isOfOwnPieces(code: string, text: string): boolean {
  // Other ways to put text together.
  if (/%|\.format\(|["']\s{0,9}\+|\+\s{0,9}["']/.test(code.replaceAll("%s", ""))) return false;
  const pieces = code.match(PIECE) ?? [];
  if (pieces.length === 0) return false;
  const { enums } = readAhead(text);
  return pieces.every((piece) => {
    const [, name = "", member] = NAME.exec(piece) ?? [];
    if (name === "") return false;
    if (CONSTANT.test(name)) return true;
    if (isBoundElsewhere(name, text)) return false;
    const types = typesOf(name, text);
    const values = valuesOf(name, text);
    if (member !== undefined) return values.length === 0 && types.length > 0 && types.every((type) => enums.has(type));
    if (values.length === 0) return types.length > 0 && types.every((type) => NUMBERS.has(type));
    return types.every((type) => NUMBERS.has(type) || type === "str") && values.every(isOfTable);
  });
}

function isBoundElsewhere(name: string, text: string): boolean {
  const bound = text.matchAll(BOUND).take(MOST);
  if (
    [...bound].some(([, after = "", one = "", several = ""]) =>
      `${after} ${one} ${several}`.split(/\W+/).includes(name),
    )
  )
    return true;
  // A parameter without a type, of any function.
  return [...text.matchAll(PARAMETERS).take(MOST)].some(([, list = ""]) =>
    list.split(",").some((each) => !each.includes(":") && each.split("=")[0]?.trim() === name),
  );
}

function typesOf(name: string, text: string): string[] {
  return [...text.matchAll(TYPED).take(MOST)].flatMap(([, typed, type = ""]) => (typed === name ? [type] : []));
}

function valuesOf(name: string, text: string): string[] {
  return [...text.matchAll(ASSIGNED).take(MOST)].flatMap(([, assigned, value = ""]) =>
    assigned === name ? [value.trim()] : [],
  );
}

/** `ORDERS[key]`, `ORDERS.get(key)`, `ORDERS.get(key, "name")`: what the table does not have must not be what was asked for. */
function isOfTable(value: string): boolean {
  const [whole, given] = TABLE.exec(value) ?? [];
  if (whole === undefined) return false;
  const fallback = given === undefined ? undefined : lastArgument(given);
  return fallback === undefined || /^(?:"[^"\\]*"|'[^'\\]*'|None|[A-Z][A-Z0-9_]{0,60})$/.test(fallback);
}

/** The last of several arguments; undefined for a single one. */
function lastArgument(list: string): string | undefined {
  let depth = 0;
  let comma = -1;
  for (const [at, sign] of [...list].entries()) {
    if (/[([{]/.test(sign)) depth += 1;
    else if (/[)\]}]/.test(sign)) depth -= 1;
    else if (sign === "," && depth === 0) comma = at;
  }
  return comma === -1 ? undefined : list.slice(comma + 1).trim();
}
