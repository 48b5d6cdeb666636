import { createRedactor, type Redact } from "./redact.ts";

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
  return {
    redact: (text) => {
      current ??= createRedactor([...secrets, ...learnt]);
      return current(text);
    },
    learn: (value) => {
      if (learnt.has(value)) return;
      learnt.add(value);
      if (learnt.size > MOST_LEARNT) learnt.delete(learnt.values().next().value ?? value);
      current = undefined;
    },
  };
}
