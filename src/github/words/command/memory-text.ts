import type { AnswerOf } from "../../../domain/commands.ts";
import { confidenceInWords } from "../../../domain/findings.ts";
import { LEAST_BELIEVED } from "../../../domain/memories.ts";
import type { MemoriesFacts } from "../../../domain/told-facts.ts";
import { count, foreignCode, foreignLine, type Wording } from "../wording.ts";

type Known = MemoriesFacts["items"][number];

/** Characters of a memory that are shown. */
const MOST_SHOWN = 300;

/** `/forge memory`: what is known here, each with who taught it, how far it is believed, and whether it is used now. */
export function memoriesText({ query, items, more }: MemoriesFacts, wording: Wording): string {
  const about = query === undefined ? "here" : `about ${foreignCode(query, wording)}`;
  if (items.length === 0) return `**Nothing is known ${about}.** To teach something: \`/forge remember <text>\``;
  return [
    `**${count(items.length + more, "memor").replace(/memors?$/, items.length + more === 1 ? "memory" : "memories")} ${about}.** To have one deleted: \`/forge forget <memory>\``,
    items.map((item) => known(item, wording)).join("\n"),
    ...(more > 0
      ? [`${more.toLocaleString("en-US")} more: \`/forge memory <words>\` shows those about something.`]
      : []),
  ].join("\n\n");
}

function known(item: Known, wording: Wording): string {
  const { id, content, confidence } = item;
  const doubt = confidence < LEAST_BELIEVED ? ", too low to be used" : "";
  const facts = [
    `${confidenceInWords(confidence)} confidence (${confidence.toFixed(2)}${doubt})`,
    `${taughtBy(item, wording)} on ${item.at.slice(0, 10)}`,
    ...citations(item, wording),
    ...(item.expiresAt ? [`${item.expired ? "expired" : "expires"} on ${item.expiresAt.slice(0, 10)}`] : []),
    ...(item.contradicts.length > 0
      ? [`contradicts ${codes(item.contradicts)}: the one that is believed more is used`]
      : []),
    ...(item.archived ? ["put away, not used"] : []),
  ];
  return `- \`${id}\` ${foreignLine(content, wording, { maximum: MOST_SHOWN })}\n  ${facts.join(" · ")}`;
}

const ORIGINS = { model: "concluded by a model", person: "taught", outcome: "seen in production" } as const;

function taughtBy({ by, origin }: Known, wording: Wording): string {
  return by === undefined ? ORIGINS[origin] : `${ORIGINS[origin]} by ${foreignCode(by, wording)}`;
}

const CITED: Readonly<Record<Known["cites"][number]["is"], string>> = {
  holds: "",
  changed: " (changed since)",
  gone: " (**gone: not used**)",
  unread: " (could not be read now)",
};

function citations({ cites }: Known, wording: Wording): string[] {
  if (cites.length === 0) return [];
  return [`rests on ${cites.map(({ path, is }) => `${foreignCode(path, wording)}${CITED[is]}`).join(", ")}`];
}

/** What is said to `/forge remember`. */
export function rememberedText({ memoryId, is, cites, opposed }: AnswerOf<"remember">, wording: Wording): string {
  const first = {
    new: `**Remembered** as \`${memoryId}\``,
    known: `\`${memoryId}\` **is known**, with a new date`,
    confirmed: `\`${memoryId}\` **is confirmed**: someone else taught it before, so Forge trusts it more now`,
  }[is];
  const paths = cites.map((path) => foreignCode(path, wording)).join(", ");
  const rests =
    cites.length === 0 ? "" : `, as long as ${paths} ${cites.length === 1 ? "has" : "have"} the code that it rests on`;
  return [
    `${first}${rests}. To have it deleted: \`/forge forget ${memoryId}\``,
    ...(opposed.length > 0 ? [`It contradicts ${codes(opposed)}: the one that is believed more is used.`] : []),
  ].join("\n");
}

function codes(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(", ");
}
