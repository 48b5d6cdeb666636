import { createHash } from "node:crypto";

/** How many blocks before a breakpoint the provider looks for what it already has. */
const LOOK_BACK = 20;

export interface CacheTotals {
  readonly input: number;
  readonly read: number;
  readonly written: number;
}

/**
 * A prompt cache as Anthropic describes it, fed with request bodies as they were sent: a prefix is kept at each breakpoint, and found again
 * from a breakpoint or up to twenty blocks before it. Counts characters in the place of tokens.
 */
export function simulatePrefixCache() {
  const kept = new Set<string>();
  // biome-ignore lint/suspicious/noExplicitAny: a body as it was sent
  return (body: any): CacheTotals => {
    const blocks: { cache_control?: unknown }[] = [
      ...(body.tools ?? []),
      ...(body.system ?? []),
      // biome-ignore lint/suspicious/noExplicitAny: a body as it was sent
      ...body.messages.flatMap(({ role, content }: any) => content.map((block: object) => ({ role, ...block }))),
    ];
    const prefixes: { key: string; end: number }[] = [];
    const hash = createHash("sha256");
    let end = 0;
    for (const { cache_control: _, ...block } of blocks) {
      const text = JSON.stringify(block);
      hash.update(text);
      end += text.length;
      prefixes.push({ key: hash.copy().digest("hex"), end });
    }
    const breakpoints = blocks.flatMap(({ cache_control }, index) => (cache_control ? [index] : []));
    const found = breakpoints.flatMap((at) => {
      const near = prefixes.slice(Math.max(0, at - LOOK_BACK), at + 1);
      return near.flatMap((prefix) => (kept.has(prefix.key) ? [prefix.end] : []));
    });
    const read = Math.max(0, ...found);
    const marked = Math.max(0, ...breakpoints.map((at) => prefixes[at]!.end));
    for (const at of breakpoints) kept.add(prefixes[at]!.key);
    return { input: end, read, written: Math.max(0, marked - read) };
  };
}
