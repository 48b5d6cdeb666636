import { createHash, timingSafeEqual } from "node:crypto";

const SAFE_METHODS = new Set(["GET", "HEAD"]);

/**
 * Whether a request that would change something may come from another site (OPS-2). Browsers say where one comes from, whatever its content
 * type is: `Sec-Fetch-Site`, and `Origin` those that do not know that one. A request that says neither is refused: no form of ours sends such.
 * @param url where people reach this Forge
 */
export function isForged(request: Request, url: string): boolean {
  if (SAFE_METHODS.has(request.method)) return false;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin";
  const origin = request.headers.get("origin");
  return origin === null || !isHere(origin, url);
}

/** Compared with the address that the operator set: what a request says of its host can be anything. */
function isHere(origin: string, url: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === new URL(url).origin;
}

/** Compared as digests, so that the time taken tells nothing, not even the length. */
export function isToken(given: unknown, expected: string): boolean {
  if (typeof given !== "string" || expected === "") return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
