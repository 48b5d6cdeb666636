import type { Redact } from "../../safety/redact.ts";
import { visibleText } from "../../safety/visible-text.ts";

const EMAIL = /[^\s@<>()"',;:]{1,64}@[^\s@<>()"',;:]{1,200}\.[a-z]{2,24}\b/gi;
const IPV4 = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)/g;
/** Of six groups and more, or with a gap: times such as 12:30:45 are none. */
const IPV6 =
  /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){5,7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6})(?![\w:])/gi;
/** Many times as long as what is kept; beyond it nothing is looked at. */
const LONGEST_READ = 8_000;

export type Clean = (text: unknown, most: number) => string;

/**
 * Makes what cleans texts of production: anybody who can make the service fail writes them, and they hold what people typed. Secrets, e-mail
 * addresses and addresses of machines go, so does what cannot be seen; what is longer than `most` characters is cut.
 */
export function createClean(redact: Redact): Clean {
  return (text, most) => {
    if (typeof text !== "string") return typeof text === "number" && Number.isFinite(text) ? String(text) : "";
    const visible = redact(visibleText(text.slice(0, LONGEST_READ)).toWellFormed());
    const clean = visible.replace(EMAIL, "[e-mail]").replace(IPV4, "[address]").replace(IPV6, "[address]").trim();
    return clean.length <= most ? clean : `${clean.slice(0, most - 1).toWellFormed()}…`;
  };
}

/** An address that people may follow: plain, and without what stands behind the question mark, where tokens travel. */
export function cleanUrl(written: unknown, clean: Clean): string | undefined {
  if (typeof written !== "string" || written.length > 1_000 || !URL.canParse(written)) return undefined;
  const { protocol, origin, pathname } = new URL(written);
  return /^https?:$/.test(protocol) ? clean(`${origin}${pathname}`, 300) : undefined;
}

/** ISO 8601 in UTC; undefined for what is no time, or Go's "never". */
export function cleanTime(written: unknown): string | undefined {
  if (typeof written !== "string" || !/^\d{4}-\d\d-\d\dT/.test(written)) return undefined;
  const at = Date.parse(written);
  return Number.isFinite(at) && at > 0 ? new Date(at).toISOString() : undefined;
}
