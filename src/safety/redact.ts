import { encodedSpans, escapedSpans } from "./encoded-text.ts";
import { createKnownValues } from "./known-values.ts";
import { secretForms } from "./secret-forms.ts";
import { createShapeFinder } from "./secrets/shape-index.ts";
import { replaceSpans, type Span } from "./text-spans.ts";

/** Replaces every secret in a text by `[redacted]`, line by line. Time grows linearly with the text. Applying it twice changes nothing more. */
export type Redact = (text: string) => string;

export const REDACTED = "[redacted]";

/**
 * A redactor for values that the process knows, and for everything that the scanner's table knows by its shape (SEC-6). Known values are
 * found also in other alphabets, in pieces and with anything in between (`createKnownValues`); those shorter than 6 characters are not
 * looked for: they would be found everywhere. Only the secret itself is replaced, so that code stays readable.
 */
export function createRedactor(knownSecrets: readonly string[]): Redact {
  const findShapes = createShapeFinder([...new Set(knownSecrets.flatMap(secretForms))]);
  const findKnown = createKnownValues(knownSecrets);
  return (text) => {
    const spans: Span[] = [];
    findShapes(text, spans);
    encodedSpans(text, spans, findShapes);
    escapedSpans(text, spans, findShapes);
    findKnown?.(text, spans);
    return replaceSpans(text, spans, REDACTED);
  };
}
