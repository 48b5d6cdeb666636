import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keeps texts from being read or made by others, with keys from one secret; whoever changes that ends everything that was sealed. */
export interface Seal {
  /** `bound`: what the text belongs to; with anything else it cannot be opened. */
  close(purpose: Purpose, text: string, bound?: string): string;
  /** Undefined for what was not sealed here, for this, or was changed. */
  open(purpose: Purpose, sealed: string, bound?: string): string | undefined;
  sign(purpose: Purpose, text: string): string;
}

type Purpose =
  | "a person's token"
  | "a sign-in under way"
  | "a form"
  | "an answer"
  | "an attempt"
  | "a place in the log";

export function createSeal(secret: string): Seal {
  const keys = new Map<Purpose, Buffer>();
  const key = (purpose: Purpose) => {
    const known = keys.get(purpose) ?? Buffer.from(hkdfSync("sha256", secret, "", `forge: ${purpose}`, 32));
    keys.set(purpose, known);
    return known;
  };
  return {
    close: (purpose, text, bound = "") => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key(purpose), iv).setAAD(Buffer.from(bound));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
    },
    open: (purpose, sealed, bound = "") => {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key(purpose), iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(
          "utf8",
        );
      } catch {
        // Not ours, or not what we closed.
        return undefined;
      }
    },
    sign: (purpose, text) => createHmac("sha256", key(purpose)).update(text).digest("base64url"),
  };
}
