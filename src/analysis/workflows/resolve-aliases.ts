import { type Document, isAlias, isCollection, isPair, type Node } from "yaml";

/**
 * Puts the anchored node in place of each alias, as GitHub reads them. The nodes are shared and not copied, so a few lines of aliases of
 * aliases stay small. A node can contain itself afterwards: readers must not follow a node twice. An alias without an anchor stays.
 */
export function resolveAliases(document: Document.Parsed): void {
  const anchors = new Map<string, Node>();
  const resolve = (child: unknown): unknown => {
    if (isAlias(child)) return anchors.get(child.source) ?? child;
    if (isPair(child)) {
      child.key = resolve(child.key);
      child.value = resolve(child.value);
      return child;
    }
    const { anchor } = (child ?? {}) as { anchor?: string };
    if (anchor !== undefined) anchors.set(anchor, child as Node);
    if (isCollection(child)) for (const [at, item] of child.items.entries()) child.items[at] = resolve(item);
    return child;
  };
  resolve(document.contents);
}
