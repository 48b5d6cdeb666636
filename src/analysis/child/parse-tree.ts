import { type ParseResult, type ParserOptions, parseSync, rawTransferSupported } from "oxc-parser";

/** An option that the package reads, and its types do not name. */
export const SHARED: ParserOptions & { readonly experimentalRawTransfer: true } = { experimentalRawTransfer: true };

/** Whether trees come through memory that parser and program share: it reserves 6 GB of addresses, which not every machine gives. */
let shares: boolean | undefined;

/**
 * The tree of a script, for readers that walk all of it. It is read from the parser's own memory, in a quarter of the time that its JSON
 * takes. Where that is not to be had, or the code is nested too deeply for it, the JSON is read. The tree is the same, but that a decorated
 * parameter begins behind its decorators.
 */
export function parseTree(text: string, options: ParserOptions): ParseResult {
  shares ??= rawTransferSupported();
  if (shares) {
    try {
      return parseSync("file", text, { ...options, ...SHARED });
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      // Not asked for again: each try of a machine without room collects all garbage first.
      if (thrown.message.includes("allocation failed")) shares = false;
    }
  }
  return parseSync("file", text, options);
}
