import { domainToUnicode } from "node:url";
import { likenessOf, skeletonOf } from "./look-alikes.ts";

/** The host of an address, or of a repository that is told as `git@host:path`. */
const HOST =
  /(?:\b[a-z][a-z0-9+.-]{1,20}:[/\\]{2}(?:[^\s/?#@"'<>()`]{0,100}@)?|\bgit@)([^\s/?#:"'<>()`\\,;]{3,253})/giu;
const WORTH_A_LOOK = /\P{ASCII}|xn--/iu;

/** Marks that look like those which end a host or part it, and are neither. */
const LIKE_MARKS = /[\u2044\u2215\u29f8\uff0f\u2571\u3033\u1735\u2024\ufe52\uff20\p{Cf}\p{DI}\u2800]/u;
const DOTS = /[.\u3002\uff0e\uff61]/;

/** Names of hosts whose accents are nobody's spelling. */
const KNOWN = new Set(
  "github githubusercontent gitlab bitbucket npmjs npm yarnpkg pypi pythonhosted docker google googleapis gstatic microsoft azure windows amazon amazonaws apple cloudflare jsdelivr unpkg cdnjs rubygems crates golang debian ubuntu fastly vercel netlify heroku slack paypal stripe".split(
    " ",
  ),
);

interface Place {
  readonly at: number;
  readonly characters: readonly string[];
}

/** The first address on a line whose host is taken for another one. */
export function findLookAlikeHost(line: string): Place | undefined {
  if (!WORTH_A_LOOK.test(line)) return undefined;
  for (const match of line.matchAll(HOST)) {
    const host = match[1] ?? "";
    if (!WORTH_A_LOOK.test(host) || !imitates(host)) continue;
    const at = match.index + match[0].length - host.length;
    return { at, characters: host.match(/\P{ASCII}/gu) ?? [] };
  }
  return undefined;
}

function imitates(host: string): boolean {
  const marks = /\P{ASCII}/u.exec(host)?.[0];
  if (marks !== undefined && LIKE_MARKS.test(host)) return true;
  const labels = host.split(DOTS).map((label) => (/^xn--/i.test(label) ? domainToUnicode(label.toLowerCase()) : label));
  if (labels.length < 2) return false;
  const isLatinDomain = /^[\x21-\x7e]*$/.test(labels.at(-1) ?? "");
  return labels.some((label) => {
    if (/^[\x20-\x7e]*$/.test(label)) return false;
    const parts = label.split("-").map(likenessOf);
    if (parts.some((likeness) => likeness === "mixed" || likeness === "mark" || likeness === "form")) return true;
    if (isLatinDomain && parts.includes("whole")) return true;
    return KNOWN.has(skeletonOf(label.normalize("NFD").replace(/\p{M}/gu, "")).toLowerCase());
  });
}
