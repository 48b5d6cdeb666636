import type { Answer } from "../../../domain/answers.ts";
import type { AnswerOf } from "../../../domain/commands.ts";
import type { CheckReport } from "../../../domain/effects.ts";
import type { Finding } from "../../../domain/findings.ts";
import type { FindingClass, Hiding, HidingReplay } from "../../../domain/hiding.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import { count, folded, foreignCode, foreignLine, moment, type Wording } from "../wording.ts";

/** Asks where the last dismissal was given whether findings like it are hidden from here on, with what that would have hidden (MEM-6). */
export function proposedText(
  { class: it, replay }: Extract<Answer, { kind: "hiding_proposed" }>,
  wording: Wording,
): string {
  const taught = it.taught.map(({ findingId, pull, by, reason }) => {
    const why = foreignLine(reason, wording, { maximum: 100 });
    return `- \`${findingId}\` in #${pull}, by ${foreignCode(by, wording)}: ${why}`;
  });
  return [
    `**Hide findings like these from now on?** \`${it.id}\`: ${classText(it, wording)}. To have them hidden: \`/forge hide ${it.id}\` (maintain). To turn it down: \`/forge unhide ${it.id}\``,
    `Dismissed with a reason by ${count(new Set(it.taught.map(({ by }) => by)).size, "person").replace("persons", "people")}:\n${taught.join("\n")}`,
    replayText(replay, wording),
    `${it.blocking ? "This includes blocking findings, because maintainers dismissed them. Never" : "Never what blocks, nor"} a secret or a critical security finding. The check counts what is hidden, but one in twenty is still shown.`,
  ].join("\n\n");
}

/** "`noSelfCompare` in `src/old/**` (`.ts`), warning at most". */
function classText({ rule, folder, endings, severity }: FindingClass, wording: Wording): string {
  const files = endings
    .map((ending) => (ending === "" ? "without an ending" : foreignCode(ending, wording)))
    .join(", ");
  const where = foreignCode(folder === "" ? "**" : `${folder}/**`, wording);
  return `${foreignCode(rule, wording)} in ${where} (${files}), ${severity} at most, with a message like theirs`;
}

const BECAME = { dismissed: "dismissed", fixed: "fixed", ignored: "ignored", open: "open or not known" } as const;

function replayText({ findings, counts, listed }: HidingReplay, wording: Wording): string {
  const hidden = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const became = (Object.keys(BECAME) as (keyof typeof BECAME)[])
    .filter((one) => counts[one] > 0)
    .map((one) => `${counts[one]} ${BECAME[one]}`);
  const rows = listed.map(({ findingId, pull, file, line, message, became: is }) => {
    const what = foreignLine(message, wording, { maximum: 120 });
    return `- \`${findingId}\` in #${pull}, ${BECAME[is]}: ${foreignCode(`${file}:${line}`, wording)} ${what}`;
  });
  const more = hidden - listed.length;
  if (more > 0) rows.push(`- and ${more.toLocaleString("en-US")} more`);
  return [
    `**Of ${count(findings, "past finding")} of this rule it would have hidden ${hidden}**: ${became.join(", ")}.`,
    folded("which", rows.join("\n")),
  ].join("\n\n");
}

/** `/forge hide` and `/forge unhide`: all classes, or the one that was changed. */
export function hidingsText({ hidings, changed }: AnswerOf<"hide">, wording: Wording): string {
  const [first] = hidings;
  if (!first)
    return "**Nothing is hidden here.** Forge proposes it after three dismissals with a reason by two people.";
  const { class: it, state } = first;
  if (changed) {
    return state === "on"
      ? `**\`${it.id}\` is hidden from the next review on**: ${classText(it, wording)}. To end it: \`/forge unhide ${it.id}\``
      : `**\`${it.id}\` hides nothing from the next review on.** To have it hidden again: \`/forge hide ${it.id}\``;
  }
  return hidings.map((hiding) => `- \`${hiding.class.id}\` ${standing(hiding, wording)}`).join("\n");
}

function standing({ class: it, state, by, at, right, wrong }: Hiding, wording: Wording): string {
  const probes = `of its probes ${right} dismissed, ${wrong} wanted`;
  const said = {
    proposed: `**proposed** on ${moment(at)}: \`/forge hide ${it.id}\``,
    on: `**hidden** since ${moment(at)} by ${foreignCode(by, wording)}, ${probes}: \`/forge unhide ${it.id}\``,
    withdrawn: `**withdrawn** on ${moment(at)} by ${foreignCode(by, wording)}`,
    off: `**switched off** by Forge on ${moment(at)}, ${probes}`,
  }[state];
  const pulls = [...new Set(it.taught.map(({ pull }) => `#${pull}`))].join(", ");
  return `${classText(it, wording)}, taught in ${pulls}: ${said}`;
}

/** Said where the last probe of a class was wrong. */
export function endedText({ hidingId, wrong }: Extract<Answer, { kind: "hiding_ended" }>): string {
  return `**\`${hidingId}\` no longer hides anything**: ${wrong} of the findings that were shown as a probe were fixed or voted for. To have it hidden again: \`/forge hide ${hidingId}\``;
}

/** "**Hidden**: 2 findings by what was learned here (`H-7K2Q`): `/forge hide`"; nothing where there are none. */
export function hiddenLines({ hidden = [] }: Extract<CheckReport, { kind: "reviewed" }>): string[] {
  if (hidden.length === 0) return [];
  const number = hidden.reduce((sum, { findings }) => sum + findings, 0);
  const classes = hidden.map(({ hidingId }) => `\`${hidingId}\``).join(", ");
  return [`**Hidden**: ${count(number, "finding")} by what was learned here (${classes}): \`/forge hide\``];
}

/** What is said under a finding that is shown as a probe. */
export function probeLines({ probe }: Pick<Finding, "probe">): string[] {
  if (probe === undefined) return [];
  return [
    "",
    `**Probe**: \`${probe}\` hides findings like this, but one in twenty is still shown. A fix or a thumbs up counts against hiding them.`,
  ];
}

/** Why a class is not changed; undefined for other refusals. */
export function aboutHiding(
  refusal: Extract<Refusal, { reason: "unknown_class" | "class_stands" }>,
  wording: Wording,
): string {
  if (refusal.reason === "class_stands") {
    const is = refusal.hidden ? "is hidden already" : "hides nothing already";
    return `\`${refusal.hidingId}\` ${is}. All there are: \`/forge hide\``;
  }
  const { written } = refusal;
  if (written === undefined) return "Which class? All there are: `/forge hide`";
  return `${foreignCode(written, wording)} is no class that is hidden or proposed here. All there are: \`/forge hide\``;
}
