import type { BounceCause } from "../../../domain/implementation.ts";
import type { ImplementationStatus } from "../../../domain/implementation-status.ts";
import { gateName } from "../gate/work-gate-text.ts";
import { duration, folded, foreignCode, foreignLine, moment, usd, type Wording, withFullStop } from "../wording.ts";
import { endingText, madeFacts } from "./implementation-ending.ts";
import { CAUSE_WORDS, doingIn, PHASE_WORDS } from "./phase-words.ts";

type PhaseStanding = ImplementationStatus["phases"][number];

/**
 * The status comment of an implementation, and the answer to `/forge status` on an issue (GH-12): what is being done or waited for, how far the
 * phases are, what it cost; at the end, what became of it (GH-12a).
 */
export function implementationStatusText(status: ImplementationStatus, wording: Wording, runId?: string): string {
  const log = runId === undefined ? [] : [`log: run ${foreignCode(runId, wording)}`];
  if (status.ending) {
    const table = phaseTable(status);
    return [
      endingText(status, wording),
      ...(table === undefined ? [] : [folded("phases", table)]),
      ...(log.length > 0 ? [log.join("")] : []),
    ].join("\n\n");
  }
  const table = phaseTable(status);
  const { branch, pull, usedUsd, limitUsd, step } = status;
  const facts = [
    limitUsd > 0 ? `${usd(usedUsd)} of ${usd(limitUsd)}` : usd(usedUsd),
    ...(pull ? [`${pull.draft ? "draft " : ""}#${pull.number}`] : []),
    ...(branch === undefined ? [] : [`branch ${foreignCode(branch, wording)}`]),
    ...(step.is === "ready" ? [] : ["stop after this step: `/forge stop`"]),
    ...log,
  ];
  return [
    ...waiting(status, wording),
    ...(status.gates.length > 0 ? [] : [`${stepLine(status, wording)}${doing(status, wording)}`]),
    ...(table === undefined ? [] : [table]),
    ...rounds(status),
    facts.join(" · "),
  ].join("\n\n");
}

/** Everything that waits for a person, with the exact words that answer it. */
function waiting({ gates }: ImplementationStatus, wording: Wording): string[] {
  return gates.map(({ gate, question, deadline }) => {
    const until = `(${gate}, until ${moment(deadline)})`;
    if (question.type === "question") {
      return `**A question** ${until}: ${foreignLine(question.question, wording, { maximum: 600 })}\nReply here or \`/forge answer …\`. Nothing is spent while this waits.`;
    }
    const changes = question.type === "architecture_approval" ? `, \`/forge approve ${gate} <changes>\`` : "";
    return `**Waiting for ${gateName(question)}** ${until}: \`/forge approve ${gate}\`${changes}, \`/forge reject ${gate} <reason>\`\nNothing is spent while this waits.`;
  });
}

function stepLine(status: ImplementationStatus, wording: Wording): string {
  const { step, pull } = status;
  switch (step.is) {
    case "beginning":
      return "**Beginning** · the issue and the repository are read";
    case "planning":
      return step.revision > 0 ? "**Planning** · the plan is made anew" : "**Planning** · nothing is changed yet";
    case "task":
      return `**Implementing** · ${taskCount(step)} · ${foreignLine(step.title, wording, { maximum: 120 })}`;
    case "feedback":
      return `**Implementing** · ${CAUSE_WORDS[step.cause].dealtWith(step.items)}`;
    case "pushing":
      return "**Pushing** · the commits go to the branch";
    case "reviewing":
      return `**Reviewing** · ${pull ? `#${pull.number}` : "the change"} is looked at like any other`;
    case "in_phase":
      return doingIn(step.phase);
    case "testing":
      return doingIn("testing");
    case "ready": {
      const { leftDraft } = step;
      const draft =
        leftDraft === undefined
          ? ""
          : `GitHub left it a draft: ${withFullStop(foreignLine(leftDraft, wording))} Mark it as ready for review there.\n`;
      return `**Ready**: ${pull ? `pull request #${pull.number}, ` : ""}${madeFacts(status)}.\n${draft}Review it and merge it. Changes that are requested in a review are worked on.`;
    }
  }
}

/** " · thinking": what goes on inside the step. */
function doing({ doing: now }: ImplementationStatus, wording: Wording): string {
  switch (now?.is) {
    case "thinking":
      return " · thinking";
    case "tool":
      return ` · using ${foreignCode(now.tool ?? "a tool", wording)}`;
    case "checking":
      return " · checking types and running the affected tests";
    case undefined:
      return "";
  }
}

function taskCount({ done, all }: { readonly done: number; readonly all: number }): string {
  return `task ${Math.min(done + 1, all)} of ${all}`;
}

/** Two wide columns at most: it is read on phones too. What is to come shares one row. Undefined before anything began. */
function phaseTable(status: ImplementationStatus): string | undefined {
  const { phases, step, ending } = status;
  const begun = phases.filter(({ state }) => state !== "to_come");
  if (begun.length === 0) return undefined;
  const rows = begun.map((one) => {
    const money = one.costUsd > 0 ? usd(one.costUsd) : "";
    const time = one.durationMs > 0 ? duration(one.durationMs) : "";
    return `| ${PHASE_WORDS[one.phase].name} | ${standing(one, status)} | ${money} | ${time} |`;
  });
  const later = [
    ...phases.filter(({ state }) => state === "to_come").map(({ phase }) => PHASE_WORDS[phase].name),
    ...(step.is === "ready" || ending ? [] : ["pull request ready"]),
  ];
  const toCome = later.length > 0 && !ending ? [`| ${later.join(" · ")} | to come | | |`] : [];
  return ["| phase | state | cost | time |", "|---|---|---|---|", ...rows, ...toCome].join("\n");
}

function standing({ state, times, phase }: PhaseStanding, { step, gates, ending }: ImplementationStatus): string {
  switch (state) {
    case "done":
      return times > 1 ? `done, ${times} times` : "done";
    case "active":
    case "again":
      if (phase === "implementation" && step.is === "task") return taskCount(step);
      if (ending) return "not finished";
      if (gates.length > 0) return "waits for a person";
      return times > 1 ? `at work for the ${ordinal(times)} time` : "at work";
    case "to_come":
      return "to come";
  }
}

/** "2nd". */
function ordinal(number: number): string {
  const last = number % 100 > 10 && number % 100 < 14 ? 0 : number % 10;
  return `${number}${["th", "st", "nd", "rd"][last] ?? "th"}`;
}

/** How often work went back, and for what (PIPE-5). */
function rounds({ bounces }: ImplementationStatus): string[] {
  const parts = Object.entries(bounces).filter(([, times]) => times > 0);
  if (parts.length === 0) return [];
  const said = parts.map(
    ([cause, times]) => `${CAUSE_WORDS[cause as BounceCause]?.of ?? "more"}${times > 1 ? `, ${times} times` : ""}`,
  );
  return [`Went back to the implementer for ${said.join("; for ")}.`];
}
