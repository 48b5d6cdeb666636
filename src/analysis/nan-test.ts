import type { ReportedPlace } from "./biome-rule.ts";

const NUMBER = /\btypeof {1,3}([\w$]{1,80}) {0,3}={2,3} {0,3}["']number["'] {0,3}&& {0,3}$/;
/** What the answer is called, where it is kept. */
const REFLEXIVE = /(?:[rR]eflexive|[nN]a[nN]) {0,3}= {0,3}$/;
/** How the value is looked at in the other half of a condition. */
const ALSO =
  /^ {0,3}&& {0,3}(?:!{0,2}[\w$.]{1,80}\( {0,3})?!{0,2}([\w$]{1,80}) {0,3}(?:\)|[<>]|[!=]==? {0,3}(?:null|undefined|void)\b)/;
const CHOSEN = /^\s{0,20}\?(?![.?])([^:;]{1,200}):/;
/** The end of a condition, and what it holds for. */
const BODY = /^ {0,3}\) {0,3}\{([^}]{1,280})/;
/** What has to hold before the rest of a condition is looked at: that there is a value. */
const THERE = /(?:^|\s)([\w$]{1,80}) {0,3}!==? {0,3}(?:null|undefined|void 0)$/;
/** Where another way through a condition begins. */
const OTHER_WAY = /\|\||[?:,]/;
/** A parenthesis after it holds arguments, or the whole of a condition. */
const NAMED = /[\w$\])]\s{0,3}$/;
const COMPARISON = /[<>]=?|={2,3}/;

/**
 * Whether a value is compared with itself to know whether it is NaN, the one value that equals nothing: how code asks that is older than
 * `Number.isNaN`. `value !== value` is no likely mistake. `value === value` is one, unless something around it says what is asked.
 */
export function isTestForNaN({ code, before, above, rest }: Omit<ReportedPlace, "declared" | "typed">): boolean {
  const [, name, operator, other] = /^([\w$]{1,80})\s{0,9}([!=]==?)\s{0,9}([\w$]{1,80})$/.exec(code) ?? [];
  if (name === undefined || name !== other) return false;
  if (operator?.startsWith("!")) return true;
  const after = rest.slice(0, 300);
  return (
    NUMBER.exec(before)?.[1] === name ||
    REFLEXIVE.test(before) ||
    isKnownThere(name, above) ||
    ALSO.exec(after)?.[1] === name ||
    (CHOSEN.exec(after)?.[1] ?? "").split(/[^\w$]+/).includes(name) ||
    isCompared(name, BODY.exec(after)?.[1] ?? "")
  );
}

/** Whether a name is compared with something. */
function isCompared(name: string, code: string): boolean {
  const sides = code.split(COMPARISON);
  return sides.some((side, at) => {
    const words = side.trim().split(/[^\w$]+/);
    return (at > 0 && words[0] === name) || (at < sides.length - 1 && words.at(-1) === name);
  });
}

/**
 * Whether the place is only reached where a value was compared with null or undefined: in its own parentheses, or in those around them, with
 * `&&` between. Who has asked that much of a value asks by the comparison whether it is NaN.
 */
function isKnownThere(name: string, above: string): boolean {
  let closed = 0;
  let level = "";
  for (let at = above.length - 1; at >= 0; at--) {
    const letter = above.charAt(at);
    if (";{}".includes(letter)) break;
    if (")]".includes(letter)) closed++;
    else if (!"([".includes(letter)) level = closed === 0 ? letter + level : level;
    else if (closed > 0) closed--;
    else if (holds(name, level)) return true;
    else if (letter === "[" || NAMED.test(above.slice(Math.max(0, at - 4), at))) return false;
    else level = letter;
  }
  return holds(name, level);
}

function holds(name: string, level: string): boolean {
  const halves = (level.split(OTHER_WAY).at(-1) ?? "").split("&&").slice(0, -1);
  return halves.some((half) => THERE.exec(half.trim())?.[1] === name);
}
