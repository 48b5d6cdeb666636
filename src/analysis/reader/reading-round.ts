import type { ChildRequest, ChildTask } from "../child/protocol.ts";
import { readAnswers, startChild } from "./start-child.ts";

/** Readings that several analysers of one small change want at the same time: one child does them all. */
export interface ReadingRound {
  /** What could be read together with others, by id. What is missing is read by a child of its own. */
  read(request: ChildRequest): Promise<ReadonlyMap<number, unknown>>;
  /** One of those that take part has ended. */
  leave(): void;
}

/** A small change is read in a second: one that takes longer is read in the ordinary way, which finds out what it hangs on. */
const ROUND_LIMITS = { silenceMs: 10_000, timeoutMs: 20_000 };

/**
 * In this order, and only these: what parses comes last, so that a file that breaks a parser cannot touch what was said before; those that
 * parse meet the same parser with the same text in any case.
 */
const TOGETHER: readonly ChildTask[] = ["secrets", "disguises", "settings", "patterns", "syntax", "eslint"];

interface Asked {
  readonly request: ChildRequest;
  readonly answer: (results: ReadonlyMap<number, unknown>) => void;
}

/** Begins as soon as each of the members either asks for something or has left. */
export function openRound(members: number, signal: AbortSignal): ReadingRound {
  let present = members;
  let asked: Asked[] = [];
  const begin = () => {
    if (asked.length === 0 || asked.length < present) return;
    const all = asked;
    asked = [];
    void readTogether(all, signal);
  };
  return {
    read: (request) => {
      if (request.files.length === 0 || !TOGETHER.includes(request.task)) return Promise.resolve(new Map());
      return new Promise((answer) => {
        asked.push({ request, answer });
        begin();
      });
    },
    leave: () => {
      present -= 1;
      begin();
    },
  };
}

async function readTogether(all: readonly Asked[], signal: AbortSignal): Promise<void> {
  const order = all.toSorted((a, b) => TOGETHER.indexOf(a.request.task) - TOGETHER.indexOf(b.request.task));
  const parts = order.map(({ request }) => request);
  const results = parts.length === 1 ? [] : await readParts(parts, signal);
  for (const [at, { answer }] of order.entries()) answer(results[at] ?? new Map());
}

async function readParts(parts: readonly ChildRequest[], signal: AbortSignal) {
  try {
    return await readAnswers(await startChild(parts, { ...ROUND_LIMITS, signal }));
  } catch {
    // Each of them asks by itself then, meets the same error, and is told.
    return [];
  }
}
