import { lintSource } from "@secretlint/core";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { SECRET_FORMATS } from "../secret-formats.ts";
import { isPlaceholder } from "../secret-placeholders.ts";
import type { ChildFile, SecretMatch } from "./protocol.ts";

/** Without the rule that lets a comment in the file switch the others off. */
const SECRETLINT_RULES = rules
  .filter(({ meta }) => !meta.id.endsWith("filter-comments"))
  .map((rule) => ({ id: rule.meta.id, rule, options: {} }));

/** An account number is not a secret. */
const NOT_SECRET = new Set(["AWSAccountID"]);

/** Places of everything in a text that looks like a secret and not like a placeholder, ours first. */
export async function findSecrets({ text }: ChildFile): Promise<SecretMatch[]> {
  return [...findByFormat(text), ...(await findBySecretlint(text))];
}

function findByFormat(text: string): SecretMatch[] {
  const matches: SecretMatch[] = [];
  for (const { rule, hint, pattern } of SECRET_FORMATS) {
    if (!text.includes(hint)) continue;
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? match[0];
      if (!isPlaceholder(rule, match[0], value)) matches.push({ rule, offset: match.index, length: match[0].length });
    }
  }
  return matches;
}

async function findBySecretlint(text: string): Promise<SecretMatch[]> {
  const { messages } = await lintSource({
    source: { filePath: "file", content: text, contentType: "text" },
    options: { maskSecrets: true, noPhysicFilePath: true, config: { rules: SECRETLINT_RULES } },
  });
  return messages.flatMap(({ ruleId, messageId, range: [start, end] }) => {
    const kind = ruleId.replace("@secretlint/secretlint-rule-", "");
    const value = text.slice(start, end);
    const rule = kind === "basicauth" || kind === "database-connection-string" ? "url-credentials" : kind;
    if (NOT_SECRET.has(messageId) || isPlaceholder(rule, value, passwordOf(value) ?? value)) return [];
    return [{ rule, offset: start, length: end - start }];
  });
}

function passwordOf(url: string): string | undefined {
  return /:\/\/[^:@/]*:([^@]*)@/.exec(url)?.[1];
}
