/** Characters of an address: it travels in a cookie, and browsers keep none above 4,096 bytes. */
const LONGEST = 2_000;

/** Where somebody goes on after signing in: a page of this Forge, whatever was asked for, so that the way in leads nobody elsewhere. */
export function returnAddress(asked: string | undefined, url: string): string {
  const home = new URL("/", url);
  if (!asked?.startsWith("/")) return home.href;
  // Browsers read addresses as URL does: backslashes and tabs included.
  const target = URL.parse(asked, home.href);
  const isHere =
    target?.origin === home.origin && !target.pathname.startsWith("/auth/") && target.href.length <= LONGEST;
  return isHere ? target.href : home.href;
}
