import type { ReportedPlace } from "./biome-rule.ts";

/** `typeof` gives text, and is compared with text. What is nothing is compared with nothing else: `x == undefined` is `x == null`. */
export function isHarmlessEquality({ before, rest }: ReportedPlace): boolean {
  return (
    /\btypeof\s+[\w$.]+\s*$/.test(before) ||
    /^\s*typeof\b/.test(rest) ||
    /^\s*(?:undefined\b|void 0\b)/.test(rest) ||
    /(?:^|[^\w$.])(?:undefined|void 0)\s*$/.test(before)
  );
}

/**
 * Whether nothing at the place says that values of two kinds meet. A literal that others are converted to says it: `"" == 0`, `"0" == false`
 * and `[] == ""` are true; so does a number behind what always gives text. With other values, it is a way to write that a project chooses, and compilers of types refuse two kinds.
 */
export function isHabitualEquality({ before, rest, typed }: ReportedPlace): boolean {
  const left = before.trimEnd();
  if (NUMBER_BEHIND.test(rest) && TEXT_BEFORE.test(left)) return false;
  if (typed) return true;
  const converted = CONVERTED_BEFORE.exec(left);
  if ((converted && isWhole(left, converted.index)) || CONVERTED_BEHIND.test(rest)) return false;
  const name = startOfName(left);
  return !(ZERO_BEHIND.test(rest) && name < left.length && isWhole(left, name) && !NUMBERS.test(left));
}

const CONVERTED_BEFORE = /(?:\b(?:true|false)|""|'')$/;
const CONVERTED_BEHIND = /^\s*(?:true|false|""|'')\s*(?:$|[),;?:&|}\]\n])/;
const ZERO_BEHIND = /^\s*0\s*(?:$|[),;?:&|}\]\n])/;
const NUMBER_BEHIND = /^\s*-?\d/;
/** What always gives text, or nothing. */
const TEXT_BEFORE =
  /(?:(?:[pP]arams|[hH]eaders|[fF]ormData)\.get|\.(?:getItem|getAttribute)|\bprompt)\([^()\n]{0,200}\)$|\bprocess\.env\.\w{1,80}$/;
/** Names that hold numbers. */
const NUMBERS = /(?:^|[^\w$])(?:length|size|count|index|lastIndex|nodeType|byteLength|[ijkn])$/;

/** Where the name or member begins that a text ends with. */
function startOfName(left: string): number {
  let at = left.length;
  while (at > 0 && /[\w$.]/.test(left.charAt(at - 1))) at -= 1;
  return at;
}

/** Whether what begins there is the whole left side, and no part of a sum. */
function isWhole(left: string, at: number): boolean {
  return /(?:^|[(,;?:!=&|{[]|=>|\breturn)$/.test(left.slice(0, at).trimEnd());
}
