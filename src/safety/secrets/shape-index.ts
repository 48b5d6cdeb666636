import type { Span } from "../text-spans.ts";
import { visibleSpans } from "../visible-text.ts";
import { LOOKOUTS, type Lookout, SOUGHT } from "./find-shapes.ts";
import { findKubernetesSecrets } from "./kubernetes-secrets.ts";

interface Entry extends Lookout {
  /** Number of the look among all of them; hints may share one. */
  readonly number: number;
}

const LAST_SLOT = (1 << 16) - 1;

/**
 * Finds whatever looks like a secret, and every one of these texts, in one pass: a table of the first characters of all hints says where
 * it is worth to look closer. Looking for some 600 of them in turn would take longer than everything else.
 */
export function createShapeFinder(texts: readonly string[]): (text: string, spans: Span[]) => void {
  const lookouts = [...LOOKOUTS, ...texts.map((hint) => ({ hint, exact: true, look: lookForText(hint) }))];
  const numbers = new Map([...new Set(lookouts.map(({ look }) => look))].map((look, number) => [look, number]));
  const entries: Entry[] = lookouts.map((lookout) => ({ ...lookout, number: numbers.get(lookout.look)! }));
  const [twos, threes, more] = [2, 3, 4].map((size) =>
    tableOf(
      entries.filter(({ hint }) => Math.min(hint.length, 4) === size),
      size,
    ),
  ) as [Table, Table, Table];
  const next = new Int32Array(numbers.size);

  const look = (text: string, at: number, found: readonly Entry[], spans: Span[]) => {
    for (const { hint, exact, look: lookHere, number } of found) {
      if (at >= next[number]! && standsAt(text, at, hint, exact)) next[number] = lookHere(text, at, spans);
    }
  };
  const find = (text: string, spans: Span[]) => {
    next.fill(0);
    let [first, second, third] = [text.charCodeAt(0) | 32, text.charCodeAt(1) | 32, text.charCodeAt(2) | 32];
    for (let at = 0; at + 1 < text.length; at += 1) {
      const fourth = text.charCodeAt(at + 3) | 32;
      const two = (first * 961) ^ (second * 31);
      const three = two ^ third;
      const four = (three * 31) ^ fourth;
      if (more.filled[four & LAST_SLOT] !== 0) look(text, at, more.bySlot.get(four & LAST_SLOT)!, spans);
      if (threes.filled[three & LAST_SLOT] !== 0) look(text, at, threes.bySlot.get(three & LAST_SLOT)!, spans);
      if (twos.filled[two & LAST_SLOT] !== 0) look(text, at, twos.bySlot.get(two & LAST_SLOT)!, spans);
      first = second;
      second = third;
      third = fourth;
    }
    for (const { seek, look: lookThere } of SOUGHT) {
      for (const match of text.matchAll(seek)) lookThere(text, match.index, spans);
    }
    for (const { offset, length } of text.includes("Secret") ? findKubernetesSecrets(text) : []) {
      spans.push({ from: offset, to: offset + length });
    }
  };
  return (text, spans) => visibleSpans(text, spans, (visible, found) => find(withLineBreaks(visible), found));
}

/** An escaped line break ends a word as one does, although its letter looks like a part of the next. As long as before. */
function withLineBreaks(text: string): string {
  return text.includes("\\") ? text.replace(/\\[nrt]/g, "\n\n") : text;
}

function lookForText(hidden: string): Lookout["look"] {
  return (_text, at, spans) => {
    spans.push({ from: at, to: at + hidden.length });
    return at + 1;
  };
}

interface Table {
  /** Not 0 where a hint has this slot. */
  readonly filled: Uint8Array;
  readonly bySlot: ReadonlyMap<number, readonly Entry[]>;
}

function tableOf(entries: readonly Entry[], size: number): Table {
  const bySlot = Map.groupBy(entries, ({ hint }) => slotOf(hint, size));
  const filled = new Uint8Array(LAST_SLOT + 1);
  for (const slot of bySlot.keys()) filled[slot] = 1;
  return { filled, bySlot };
}

/** The first characters as a number; different ones may share it, and capitals share it with small letters. */
function slotOf(hint: string, size: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = [0, 1, 2, 3].map((at) => hint.charCodeAt(at) | 32);
  const two = (first * 961) ^ (second * 31);
  if (size === 2) return two & LAST_SLOT;
  return (size === 3 ? two ^ third : ((two ^ third) * 31) ^ fourth) & LAST_SLOT;
}

function standsAt(text: string, at: number, hint: string, exact: boolean): boolean {
  if (text.startsWith(hint, at)) return true;
  return !exact && text.slice(at, at + hint.length).toLowerCase() === hint;
}
