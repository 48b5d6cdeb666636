import { REDACTED_AT_ONCE, type Redact, redactAside } from "../src/safety/redact.ts";

/** Redacts a long text in another thread only: here it throws. */
export function onlyAside(redact: Redact): Redact {
  const here = (text: string): string => {
    if (text.length > REDACTED_AT_ONCE) throw new Error("a long text was redacted in this thread");
    return redact(text);
  };
  return Object.assign(here, { aside: (text: string) => redactAside(text, redact) });
}
