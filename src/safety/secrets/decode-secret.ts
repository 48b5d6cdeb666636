/** The claims of a JSON Web Token, undefined when the text only looks like one. */
export function readJwt(token: string): Readonly<Record<string, unknown>> | undefined {
  const [header = "", payload = ""] = token.split(".");
  const head = readJson(Buffer.from(header, "base64url").toString("utf8"));
  const claims = readJson(Buffer.from(payload, "base64url").toString("utf8"));
  return head !== undefined && typeof head.alg === "string" ? claims : undefined;
}

export function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // What is not JSON is an answer here, not a failure.
    return undefined;
  }
}

/** The two halves of `user:password` in base64; undefined for other content. */
export function readUserAndPassword(base64: string): { user: string; password: string } | undefined {
  const text = Buffer.from(base64, "base64").toString("latin1");
  const colon = text.indexOf(":");
  if (colon < 1 || !/^[\x20-\x7e]{5,}$/.test(text)) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
