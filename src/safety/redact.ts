import { secretForms } from "./secret-forms.ts";

/** Replaces every secret in a text by `[redacted]`. Time grows linearly with the text. Applying it twice changes nothing more. */
export type Redact = (text: string) => string;

export const REDACTED = "[redacted]";

/**
 * What a secret looks like when its value is not known. Each pattern is linear: a start that is rare or guarded, bounded repeats before
 * anything that may fail. A capture group, where there is one, is kept.
 */
const PATTERNS: readonly RegExp[] = [
  /gh[pousr]_[A-Za-z0-9_]{20,}(?:\.[A-Za-z0-9_-]+){0,2}/g,
  /github_pat_[A-Za-z0-9_]{20,}/g,
  /(?<![A-Za-z0-9])v1\.[0-9a-f]{40}(?![0-9a-f])/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,4096}/g,
  /(?<![A-Za-z0-9_-])sk-(?:ant-)?[A-Za-z0-9_-]{32,}/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Z])/g,
  /(?<![A-Za-z0-9])xox[abprs]-[A-Za-z0-9-]{10,}/g,
  /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}/g,
  /(?<![A-Za-z0-9])(?:npm_[A-Za-z0-9]{36}|glpat-[A-Za-z0-9_-]{20,})/g,
  /(authorization["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?:basic|bearer|token)[ \t]{1,8})[^\s"',;]{4,}/gi,
  /(authorization["']?[ \t]{0,8}[:=][ \t]{0,8}["']?)(?=[^\s\d]{0,100}\d)[^\s"',;]{16,}/gi,
  /(\b(?:basic|bearer)[ \t]{1,8})(?=[^\s\d]{0,100}\d)[A-Za-z0-9._~+/=-]{16,}/gi,
  /(:\/\/[^\s:/?#@]{0,256}:)[^\s/?#]{1,512}(?=@)/g,
  /(:\/\/)[^\s:/?#@]{20,512}(?=@)/g,
];

/**
 * A redactor for values that the process knows (also URL-, base64- and JSON-encoded, and each long line of a key), for the shapes of
 * GitHub's and other common tokens, private key blocks, Authorization headers and credentials in URLs (SEC-6). Known values shorter than 6
 * characters are not looked for: they would be found everywhere.
 */
export function createRedactor(knownSecrets: readonly string[]): Redact {
  const forms = knownSecrets.flatMap(secretForms).sort((a, b) => b.length - a.length);
  const known = forms.length > 0 ? new RegExp(forms.map(RegExp.escape).join("|"), "g") : undefined;
  return (text) => {
    const withoutKnown = known ? text.replace(known, REDACTED) : text;
    return PATTERNS.reduce(
      (rest, pattern) =>
        rest.replace(pattern, (_match, kept: unknown) => `${typeof kept === "string" ? kept : ""}${REDACTED}`),
      withoutKeyBlocks(withoutKnown),
    );
  };
}

/** A block without its end is redacted to the end of the text: a cut-off key is a key. */
function withoutKeyBlocks(text: string): string {
  let result = "";
  let done = 0;
  const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
  for (let opening = begin.exec(text); opening; opening = begin.exec(text)) {
    const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
    end.lastIndex = opening.index;
    const closing = end.exec(text);
    result += text.slice(done, opening.index) + REDACTED;
    done = closing ? closing.index + closing[0].length : text.length;
    begin.lastIndex = done;
  }
  return result + text.slice(done);
}
