import { describe, expect, it } from "vitest";
import { isTestForNaN } from "../../src/analysis/nan-test.ts";

/** Of a text in which the comparison stands between `«` and `»`. */
function asks(text: string): boolean {
  const [before = "", rest = ""] = text.split("«");
  const [code = "", after = ""] = rest.split("»");
  return isTestForNaN({ code, before: before.split("\n").at(-1) ?? "", above: before, rest: after });
}

describe("REV-3: a value that is compared with itself", () => {
  it.each([
    "if («value !== value») return;",
    "if (typeof value == 'number' && «value === value» && high <= MOST) {",
    "const valIsReflexive = «value === value»,",
    "return «value === value»\n    ? strictIndexOf(list, value, from)\n    : findNaN(list);",
    "return «value === value» && !isObject(value);",
    "if («number === number») {\n  if (upper !== undefined) {\n    number = number <= upper ? number : upper;",
    "if (isCommon && «computed === computed») {\n  while (at--) {\n    if (seen[at] === computed) {",
    "if (found != null && (best === undefined\n  ? («found === found» && !false)\n  : order(found, best)\n)) {",
    "if (found !== undefined && («found === found» || late)) {",
    "if (isOpen(a, b) && found != null && «found === found») {",
  ])("asks for NaN: %s", (text) => {
    expect(asks(text)).toBe(true);
  });

  it.each([
    "return «a === a» && b < limit;",
    "if («a === a») console.log('x' + a);",
    "const same = (x) => «x === x»;",
    "if («order.id === order.id») {",
    "return «a === a» ? b : c;",
    "if («a === b») {",
    "if (typeof b === 'number' && «a === a») {",
    "if («a === a») {\n  if (b < c) {",
    "if (found != null || («found === found» && late)) {",
    "if (found != null && late || («found === found» && late)) {",
    "late = found != null && later; late = («found === found» && late);",
    "if ((late || found != null && later) && «found === found») {",
    "if (found != null ? late : («found === found» && late)) {",
    "if (other != null && («found === found» && late)) {",
    "if (at.found != null && («found === found» && late)) {",
    "if (found != null && isSame(«found === found»)) {",
    "if (found != null) {\n  late = («found === found» && late);",
    "if (isOpen(found != null && late) && «found === found») {",
  ])("does not: %s", (text) => {
    expect(asks(text)).toBe(false);
  });
});
