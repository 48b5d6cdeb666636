import { encodedSpans, escapedSpans } from "./encoded-text.ts";
import { base64Forms, createKnownValues } from "./known-values.ts";
import { redactInThread } from "./redacting-thread.ts";
import { createShapeFinder } from "./secrets/shape-index.ts";
import { replaceSpans, type Span } from "./text-spans.ts";

/** Replaces every secret in a text by `[redacted]`, line by line. Time grows linearly with the text. Applying it twice changes nothing more. */
export interface Redact {
  (text: string): string;
  /** The same in another thread: see `redactAside`, which asks for it. */
  readonly aside?: (text: string) => Promise<string>;
}

export const REDACTED = "[redacted]";

/** Characters that are redacted on the calling thread: 3 ms of usual text, and 20 ms of text that is made to take long. */
export const REDACTED_AT_ONCE = 32 * 1024;

/**
 * Redacts a text without holding up the calling thread (OPS-8): another thread redacts what is longer than `REDACTED_AT_ONCE`. A redactor
 * that has no `aside` does all of it here.
 */
export async function redactAside(text: string, redact: Redact): Promise<string> {
  return text.length > REDACTED_AT_ONCE && redact.aside ? redact.aside(text) : redact(text);
}

/**
 * A redactor for values that the process knows, and for everything that the scanner's table knows by its shape (SEC-6). Known values are
 * found also in other alphabets, in pieces and with anything in between (`createKnownValues`); those shorter than 6 characters are not
 * looked for: they would be found everywhere. Only the secret itself is replaced, so that code stays readable.
 */
export function createRedactor(knownSecrets: readonly string[]): Redact {
  const forms = [...new Set(knownSecrets.flatMap(secretForms))];
  const findShapes = createShapeFinder(forms);
  // Shapes are looked for line by line, also where a line break is written as an escape.
  const overLines = forms.filter((form) => /[\r\n\u2028\u2029\\]/.test(form));
  const findKnown = createKnownValues(knownSecrets);
  const redact = (text: string) => {
    const spans: Span[] = [];
    findShapes(text, spans);
    encodedSpans(text, spans, findShapes);
    escapedSpans(text, spans, findShapes);
    findKnown?.(text, spans);
    for (const form of overLines) {
      for (let from = text.indexOf(form); from !== -1; from = text.indexOf(form, from + form.length)) {
        spans.push({ from, to: from + form.length });
      }
    }
    return replaceSpans(text, spans, REDACTED);
  };
  return Object.assign(redact, { aside: redactorAside(knownSecrets) });
}

/** As `createRedactor` does it, of texts of any length, in another thread. */
export function redactorAside(known: readonly string[]): (text: string) => Promise<string> {
  redactors += 1;
  const redactor = redactors;
  return (text) => redactInThread({ redactor, known, text });
}

/** So many redactors there were; each has its number, by which the threads know it again. */
let redactors = 0;

/** Below this a value says too little: redacting it would shred every text. */
const MINIMUM_LENGTH = 6;
/** Lines of a multi-line secret that are worth hiding alone: those of a key, not its headers. */
const MINIMUM_LINE_LENGTH = 32;

/** A secret in every usual form in which it may turn up in a text: as it is, URL-encoded, JSON-encoded, hex, base64 (at any offset), line by line. */
function secretForms(secret: string): string[] {
  const value = secret.trim();
  const lines = value.split(/\r?\n/);
  const pieces = lines.length > 1 ? lines.filter((line) => line.length >= MINIMUM_LINE_LENGTH) : [];
  const forms = [value, ...pieces].flatMap((piece) => {
    const encoded = base64Forms(Buffer.from(piece));
    const hex = Buffer.from(piece).toString("hex");
    return [
      ...[piece, percentEncoded(piece), percentEncoded(piece).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
      ...[JSON.stringify(piece).slice(1, -1), hex, hex.toUpperCase(), ...encoded],
      ...encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    ];
  });
  return [...new Set(forms)].filter((form) => form.length >= MINIMUM_LENGTH);
}

/** Text that is not valid Unicode cannot be written as a URL, and stays as it is. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** So many values that came up while the process ran are known; of more, the newest. */
const MOST_LEARNT = 200;

/** The redactor of a process, which gets to know values as they come up. */
export interface Redactor {
  readonly redact: Redact;
  /** From now on this value is hidden too: a token that was minted. Known before, it changes nothing. */
  readonly learn: (value: string) => void;
}

/** @param secrets what the process knows from its start, which is never forgotten */
export function openRedactor(secrets: readonly string[]): Redactor {
  const learnt = new Set<string>();
  let current: Redact | undefined;
  const redactor = () => {
    current ??= createRedactor([...secrets, ...learnt]);
    return current;
  };
  return {
    redact: Object.assign((text: string) => redactor()(text), {
      aside: (text: string) => redactAside(text, redactor()),
    }),
    learn: (value) => {
      if (learnt.has(value)) return;
      learnt.add(value);
      if (learnt.size > MOST_LEARNT) learnt.delete(learnt.values().next().value ?? value);
      current = undefined;
    },
  };
}

/** Stands in place of a path of this machine. */
export const HIDDEN_PATH = "[a path of Forge's machine]";

/**
 * Adds to a redactor that no path below these folders is shown: what a program or an error says of the machine is not to be shown on
 * GitHub. A folder of the top of the file system is a word that repositories use too, such as `/data`: it has to be named more closely.
 * @param places absolute paths, or beginnings of paths such as `/tmp/forge-`; those of one name only have no effect
 */
export function hideHostPaths(redact: Redact, places: readonly string[]): Redact {
  const known = [...new Set(places)].filter((place) => /^\/[^/]+\/[^/]/.test(place));
  if (known.length === 0) return redact;
  known.sort((one, other) => other.length - one.length);
  const pattern = new RegExp(`(?:${known.map(RegExp.escape).join("|")})[^\\s"'\`<>()\\[\\]|,;]*`, "g");
  const hide = (text: string) => text.replace(pattern, HIDDEN_PATH);
  return Object.assign((text: string) => hide(redact(text)), {
    aside: async (text: string) => hide(await redactAside(text, redact)),
  });
}
