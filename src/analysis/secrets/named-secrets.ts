import { findNamedValues, type NamedValue } from "../../safety/secrets/named-values.ts";
import { isStandIn } from "../../safety/secrets/placeholders.ts";
import { looksRandom } from "../../safety/secrets/randomness.ts";
import type { FoundSecret, SecretKind } from "../../safety/secrets/secret-format.ts";
import { readSecretName } from "../../safety/secrets/secret-name.ts";
import { serviceRuleOf } from "../../safety/secrets/service-secrets.ts";
import type { SourceFile } from "../source-file.ts";

/** How far a name is believed: `code` has variables on the right side, `data` only values; `machine` is generated. */
export type TextKind = "code" | "data" | "machine";

export const NAMED_KINDS: readonly SecretKind[] = [
  { rule: "assigned-key", what: "a key or token", confidence: 0.6, sure: false },
  { rule: "assigned-password", what: "a password", confidence: 0.55, sure: false },
];

/** Values that only their name makes secrets: of a known service by shape, of others by entropy. */
export function findNamedSecrets(text: string, kind: TextKind): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const named of findNamedValues(text)) {
    const rule = ruleOf(named, kind);
    if (rule !== undefined) found.push({ rule, offset: named.offset, length: named.value.length, value: named.value });
  }
  return found;
}

function ruleOf(named: NamedValue, kind: TextKind): string | undefined {
  const { value } = named;
  const name = readSecretName(named.name);
  if (name === "public") return undefined;
  const service = serviceRuleOf(named);
  if (service !== undefined) return service;
  if (kind === "machine" || named.inLongLine || name === "other" || (!named.quoted && kind === "code"))
    return undefined;
  if (/\s/.test(value) || isStandIn(value)) return undefined;
  if (name === "key") return isRandomKey(value) ? "assigned-key" : undefined;
  return isPassword(value) && (named.assigned || !/^\w+$/.test(value)) ? "assigned-password" : undefined;
}

function isRandomKey(value: string): boolean {
  return value.length >= 12 && value.length <= 200 && /^[\w+/=.~:!@#$%^&*-]+$/.test(value) && looksRandom(value);
}

/** Long enough and mixed as people are told to mix; words alone are labels, numbers alone are numbers. */
function isPassword(value: string): boolean {
  if (value.length > 80 || /[<>(){}[\];]/.test(value) || /^[\w-]+(?:\.[A-Za-z_]\w*)+$/.test(value)) return false;
  const letters = /[A-Za-z]/.test(value);
  const others = /\d/.test(value) || /[!@#$%^&*+=?~]/.test(value);
  return letters && others && new Set(value).size >= 5;
}

/** Files in which a bare word behind a name is an expression and not a value. */
const CODE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyi|go|rs|java|kt|kts|scala|groovy|gradle|cs|fs|vb|c|h|cc|cpp|hpp|m|mm|swift|rb|erb|php|pl|pm|lua|ex|exs|erl|hs|clj|cljs|dart|r|jl|sql|css|scss|less|html?|xhtml|jsp|zig|nim|proto|graphql|sol|md|mdx|rst|adoc|txt|svg|ipynb)$/i;

export function textKindOf({ path, look }: Pick<SourceFile, "path" | "look">): TextKind {
  if (look !== "all") return "machine";
  return CODE.test(path) ? "code" : "data";
}
