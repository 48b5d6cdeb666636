import { isPlaceholder, isTold } from "./placeholders.ts";
import type { FoundSecret, SecretKind } from "./secret-format.ts";

export const KUBERNETES_SECRET: SecretKind = {
  rule: "kubernetes-secret",
  what: "a value of a Kubernetes Secret",
  confidence: 0.8,
  sure: true,
  mildInTests: true,
};

const KIND = /^[ \t]{0,40}(?:- )?["']?kind["']?:[ \t]{0,4}["']?Secret["']?[ \t]{0,4},?(?:[ \t]#.*)?\r?$/m;
const SECTION = /^([ \t]{0,40}(?:- )?)["']?([\w-]{1,40})["']?:[ \t]{0,4}(?:\{(.{0,4000})|(?:#.*)?\r?)$/;
const ENTRY =
  /^([ \t]{1,60})["']?[\w.-]{1,80}["']?:[ \t]{1,4}(?:!!(?:binary|str) )?(?:"([^"\r\n]{4,4000})"|'([^'\r\n]{4,4000})'|([^\s"'#|>&*{}[\]][^\s"'#{}[\]]{3,4000}))[ \t]{0,4},?(?:[ \t]{1,4}#.*)?\r?$/;
const INLINE = /["']?[\w.-]{1,80}["']?:[ \t]{0,4}["']?([^\s"',{}]{4,4000})["']?/g;
const BLOCK = /^[ \t]{1,60}["']?[\w.-]{1,80}["']?:[ \t]{1,4}[|>][+-]?\d?[ \t]{0,4}\r?$/;

/** Values in manifests of kind Secret: base64 under `data`, as they are under `stringData`. */
export function findKubernetesSecrets(text: string): FoundSecret[] {
  if (!KIND.test(text)) return [];
  const found: FoundSecret[] = [];
  let start = 0;
  for (const document of text.split(/^[ \t]{0,20}---/m)) {
    const at = text.indexOf(document, start);
    if (KIND.test(document)) found.push(...readManifest(document, at));
    start = at + document.length;
  }
  return found;
}

function readManifest(document: string, start: number): FoundSecret[] {
  const found: FoundSecret[] = [];
  let section: { readonly name: string; readonly indent: number } | undefined;
  let block = false;
  let offset = start;
  for (const line of document.split("\n")) {
    const begins = SECTION.exec(line);
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    const add = (value: string | undefined) => {
      if (value === undefined || section === undefined || !isValue(value, section.name)) return;
      found.push({
        rule: KUBERNETES_SECRET.rule,
        offset: offset + line.lastIndexOf(value),
        length: value.length,
        value,
      });
    };
    if (line.trim() !== "" && section !== undefined && indent <= section.indent) section = undefined;
    if (begins !== null && (begins[2] === "data" || begins[2] === "stringData")) {
      section = { name: begins[2], indent: begins[1]?.length ?? 0 };
      for (const [, value] of (begins[3] ?? "").matchAll(INLINE)) add(value);
    } else if (section !== undefined) {
      const entry = ENTRY.exec(line);
      if (entry !== null) add(entry[2] ?? entry[3] ?? entry[4]);
      else if (block && section.name === "data") add(line.trim());
      block = BLOCK.test(line);
    }
    offset += line.length + 1;
  }
  return found;
}

/** Nothing that a chart or a person has yet to fill in, and nothing that every manual has. */
function isValue(value: string, section: string): boolean {
  if (section === "stringData") return !isTold(value) && !isPlaceholder(KUBERNETES_SECRET.rule, value, value);
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  const decoded = Buffer.from(value, "base64").toString("latin1").trim();
  return decoded.length >= 4 && !isTold(decoded) && !isPlaceholder(KUBERNETES_SECRET.rule, decoded, decoded);
}
