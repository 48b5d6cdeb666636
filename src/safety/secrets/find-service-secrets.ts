import type { NamedValue } from "./named-values.ts";
import { isPlaceholder, UUID_ONLY } from "./placeholders.ts";
import { entropyOf } from "./randomness.ts";
import { readSecretName } from "./secret-name.ts";
import { findService } from "./service-secrets.ts";

/** The rule of the service whose secret a named value is, by the name of the service before it and the shape of the value. */
export function serviceRuleOf({ name, value, quoted, context }: NamedValue): string | undefined {
  if (readSecretName(name) === "public") return undefined;
  const bare = quoted ? value : value.replace(/[.,:!]+$/, "");
  const service = findService(context, bare);
  return service !== undefined && isKeyLike(bare) && !isPlaceholder(service.rule, bare, bare)
    ? service.rule
    : undefined;
}

function isKeyLike(value: string): boolean {
  if (UUID_ONLY.test(value)) return true;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && entropyOf(value) >= Math.min(3, Math.log2(value.length) - 1.2);
}
