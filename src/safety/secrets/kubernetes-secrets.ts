import type { FoundSecret, SecretKind } from "./secret-format.ts";

export const KUBERNETES_SECRET: SecretKind = {
  rule: "kubernetes-secret",
  what: "a value of a Kubernetes Secret",
  confidence: 0.8,
  sure: true,
  mildInTests: true,
};

const ENTRY =
  /^[ \t]{1,12}["']?[\w.-]{1,80}["']?:[ \t]{1,4}(?:!!binary )?["']?([^\s"'#|>&*{}[\]]{6,4000})["']?[ \t]{0,4}$/;

/** Values in manifests of kind Secret: base64 under `data`, as they are under `stringData`. */
export function findKubernetesSecrets(text: string): FoundSecret[] {
  if (!/^kind:[ \t]?["']?Secret\b/m.test(text)) return [];
  const found: FoundSecret[] = [];
  let start = 0;
  for (const document of text.split(/^---/m)) {
    if (/^kind:[ \t]?["']?Secret["']?[ \t]*\r?$/m.test(document)) found.push(...readManifest(document, start));
    start += document.length + "---".length;
  }
  return found;
}

function readManifest(document: string, start: number): FoundSecret[] {
  const found: FoundSecret[] = [];
  let section = "";
  let offset = start;
  for (const line of document.split("\n")) {
    if (/^\S/.test(line)) section = line.slice(0, line.indexOf(":"));
    const value = section === "data" || section === "stringData" ? ENTRY.exec(line.trimEnd())?.[1] : undefined;
    if (value !== undefined && (section === "stringData" || isBase64Text(value))) {
      found.push({ rule: KUBERNETES_SECRET.rule, offset: offset + line.indexOf(value), length: value.length, value });
    }
    offset += line.length + 1;
  }
  return found;
}

function isBase64Text(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value) && Buffer.from(value, "base64").length >= 6;
}
