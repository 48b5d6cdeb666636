import { entriesOf, scalarOf, type YamlNode } from "../formats/yaml-node.ts";
import { type Drift, type Record, wordsOf } from "./steps.ts";

/** Texts of a field of an entry, by their keys. */
export function wordsIn(node: YamlNode, field: string): ReadonlyMap<string, string> {
  return new Map([...entriesOf(entriesOf(node).get(field))].map(([key, value]) => [key, scalarOf(value) ?? ""]));
}

/** Yarn writes ranges of the registry with their protocol, which manifests leave out. */
export function withoutProtocol(reference: string): string {
  return reference.replace(/^npm:/, "");
}

/** Peers that a manifest and its entry have in different ways. */
export function peersThatDiffer(manifest: Record, locked: ReadonlyMap<string, string>): Drift[] {
  const wanted = new Map(wordsOf(manifest.peerDependencies));
  return [...new Set([...wanted.keys(), ...locked.keys()])].flatMap((name): Drift[] => {
    const [mine, its] = [wanted.get(name), locked.get(name)];
    if (mine !== undefined && its !== undefined && withoutProtocol(mine) === withoutProtocol(its)) return [];
    // Yarn adds the types of a peer by itself.
    if (mine === undefined && name.startsWith("@types/")) return [];
    return [
      {
        name: `${name} as a peer`,
        ...(mine === undefined ? {} : { wanted: mine }),
        ...(its === undefined ? {} : { locked: its }),
      },
    ];
  });
}
