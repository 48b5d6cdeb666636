/** Below this a value says too little: redacting it would shred every text. */
const MINIMUM_LENGTH = 6;
/** Lines of a multi-line secret that are worth hiding alone: those of a key, not its headers. */
const MINIMUM_LINE_LENGTH = 32;

/** A secret in every form in which it may turn up in a text: as it is, URL-encoded, JSON-encoded, base64 (at any offset), line by line. */
export function secretForms(secret: string): string[] {
  const value = secret.trim();
  const lines = value.split(/\r?\n/);
  const pieces = lines.length > 1 ? lines.filter((line) => line.length >= MINIMUM_LINE_LENGTH) : [];
  const forms = [value, ...pieces].flatMap((piece) => [
    piece,
    encodeURIComponent(piece),
    encodeURIComponent(piece).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    JSON.stringify(piece).slice(1, -1),
    ...base64Forms(piece),
  ]);
  return [...new Set(forms)].filter((form) => form.length >= MINIMUM_LENGTH);
}

/**
 * The part of a base64 text that depends on the secret alone, for each of the three offsets at which the secret may stand in what was
 * encoded (`x-access-token:<secret>` is how git sends it). Secrets of fewer than 9 characters leave too little to recognise.
 */
function base64Forms(secret: string): string[] {
  if (secret.length < 9) return [];
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const encoded = bytes.toString("base64").replace(/=+$/, "");
    // Characters that also hold bits of a neighbour are cut off: at the front by the offset, at the end by an incomplete group.
    const inner = encoded.slice(offset === 0 ? 0 : offset + 1, Math.floor((bytes.length * 8) / 6));
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
