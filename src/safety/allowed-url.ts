/** Only characters that can neither end a Markdown link nor be read as Markdown beside one. */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9.:/_%?&=+,#-]+$/i;

/** Links to these make GitHub note a cross-reference there, and "fixes" before one closes it. */
const REFERENCE = /\/(?:issues|pulls?|discussions)\/\d|#\d/i;

/** Whether a link may be posted (GH-15): a plain http(s) address on one of the hosts (with port, lower case), and not a reference to an issue. */
export function isAllowedUrl(url: string, allowedHosts: readonly string[]): boolean {
  if (!PLAIN_URL.test(url) || REFERENCE.test(url) || !URL.canParse(url)) return false;
  return allowedHosts.includes(new URL(url).host);
}
