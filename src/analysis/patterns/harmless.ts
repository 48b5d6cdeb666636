import { matchesCode } from "./match-code.ts";
import { type Binding, bare, isFunction, type Node } from "./node.ts";
import { ALL_CLEAN, bitOf, bitsOf } from "./value.ts";
import { WITHOUT_PARENTS } from "./weak-guards.ts";

/** What cannot be done from a place behind this text: a host that stands fixed, a path below a fixed one. */
export function positionIsSafe(before: string, behindOther: boolean): number {
  let clean = 0;
  const fixedHost = /^[a-z][\w+.-]*:\/\/[^/?#\0]+[/?#]/i.test(before) || (behindOther && /\0[^\0]*[/?#]/.test(before));
  if (fixedHost) clean |= bitsOf(["url", "redirect"]);
  else if (
    /^\/(?![/\\])./.test(before) ||
    (/^\/(?![/\\])$/.test(before) && behindOther) ||
    /^[?#]/.test(before) ||
    /^\.{1,2}\//.test(before)
  )
    clean |= bitOf("redirect");
  if (before.length > 0 && !/^\s*(?:j|ja|jav|java|javascript:?|data:?)?$/i.test(before)) clean |= bitOf("browser");
  return clean;
}

/** Which harm a replacement prevents: everything but plain characters, or the characters of one language in all places. */
export function replacementCleans(what: Node | undefined, name: string, put: Node | undefined): number {
  const regex = what && bare(what).regex;
  const text = regex ? regex.pattern.replaceAll("\\", "") : String((what && bare(what).value) ?? "");
  if (/^\.\.(?:\/|$|\[\/)/.test(text)) return WITHOUT_PARENTS;
  if (!regex) return name === "replaceAll" && /^[<&]/.test(String(what?.value ?? "")) ? bitOf("html") : 0;
  if (!regex.flags.includes("g")) return 0;
  const { pattern } = regex;
  // What is not in a list of harmless characters goes.
  if (/^\(?\[\^[^\]]*\]\)?[+*]?$/.test(pattern) && !/[<>'"`;&|$/]/.test(pattern.replace(/\\[wds]/g, "")))
    return ALL_CLEAN;
  if (/^\[?\(?\\W/.test(pattern)) return ALL_CLEAN;
  let clean = 0;
  if (/<|&/.test(pattern) && (put === undefined || isFunction(bare(put)) || pattern.includes("<")))
    clean |= bitOf("html");
  if (/\\r|\\n|\\s/.test(pattern)) clean |= bitsOf(["log", "header"]);
  if (matchesCode(/\[[^\]]*\\?[.*+?^$][^\]]*\\?[()[\]{}][^\]]*/, pattern)) clean |= bitOf("regex");
  return clean;
}

export function filterCleans(fn: Node): number {
  const body = fn.body as Node;
  return body.type === "CallExpression" && /^(?:includes|has)$/.test(String(body.callee?.property?.name))
    ? ALL_CLEAN
    : 0;
}

/** A parameter whose type leaves no room for harm. */
export function typedClean(binding: Binding): number {
  let at = binding.pattern;
  if (at?.type === "TSParameterProperty") at = at.parameter;
  if (at?.type === "AssignmentPattern") at = at.left;
  if (at?.type !== "Identifier") return 0;
  const type = at.typeAnnotation?.typeAnnotation;
  if (!type) return 0;
  if (/^TS(?:Number|Boolean|BigInt)Keyword$/.test(type.type) || type.type === "TSLiteralType") return ALL_CLEAN;
  const union = (type as unknown as { types?: readonly Node[] }).types;
  return type.type === "TSUnionType" && union?.every((each) => each.type === "TSLiteralType") ? ALL_CLEAN : 0;
}
