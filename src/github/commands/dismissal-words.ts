/** What a reply in a finding's thread begins with when a person dismisses the finding in plain words (GH-8a). */
const DISMISSAL = /^(?:not an issue|false positive|won['’]?t ?fix|will not fix|by design|accepted)(?=$|[\s.,;:!)–—-])/i;

/** Longest reason that is kept of a reply. */
const MAXIMUM_REASON = 500;

/** The reason that a plain reply gives for a dismissal: its first paragraph; undefined when it does not begin like one. */
export function dismissalReason(body: string): string | undefined {
  const text = body.trimStart();
  if (body.includes("<!-- forge:") || !DISMISSAL.test(text)) return undefined;
  const [paragraph = ""] = text.split(/\r?\n[ \t]*\r?\n/);
  return paragraph.replace(/\s+/g, " ").trim().slice(0, MAXIMUM_REASON);
}
