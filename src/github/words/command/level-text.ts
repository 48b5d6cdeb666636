import {
  FIRST_LEVEL,
  type LevelFacts,
  type Miss,
  MOST_LEVEL,
  type Standing,
  type StandingLevel,
} from "../../../domain/ladder.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import { CONVINCING } from "../../../safety/always-valid.ts";
import { count, foreignCode, moment, shortSha, type Wording } from "../wording.ts";

/** What Forge does at each level, after "Forge". */
const DOES = [
  "reports, and does nothing else",
  "suggests, people decide",
  "also formats its own work and fixes simple lint in it, and approves pull requests of low risk by itself, where `review.approve` allows it",
  "also merges pull requests of low risk two hours after it said so, where `safety.merge` allows it, and deploys merges to staging in the same way, where `deploy.after_merge` wants it",
  "merges pull requests of low risk without that time, where `safety.merge` allows it",
] as const;

export const TASKS = { docs: "documentation", fix: "fixes", feature: "features", refactor: "refactoring" } as const;

/** "suggests, people decide". */
export function levelDoes(level: number): string {
  return DOES[level] ?? "";
}

/** `/forge level`: where the repository stands, what is missing to the next level, and what Forge did by itself (SAFE-4). */
export function levelText({ standing, cap, standings, actions, set }: LevelFacts, wording: Wording): string {
  const { level } = standing;
  const next = level + 1;
  const lines = [
    `**Level ${level}${set && set.from !== level ? `, ${set.from} before` : ""}: Forge ${DOES[level]}.** ${saidBy(standing, wording)}`,
    ...(cap !== undefined && cap < level
      ? [`\`safety.automation_level: ${cap}\` in the configuration allows no more than level ${cap}.`]
      : []),
    ...(standing.miss ? [missLine(standing.miss)] : []),
    ...carriedLine(standing),
    ...(next > FIRST_LEVEL && next <= MOST_LEVEL ? [nextTable(next, standings)] : []),
    next <= FIRST_LEVEL
      ? `Level ${FIRST_LEVEL} needs no record, only a user with maintain permission: \`/forge level ${FIRST_LEVEL}\``
      : next > MOST_LEVEL
        ? "There is no higher level."
        : `The record is not enough: a user with maintain permission has to comment \`/forge level ${next}\`. Lowering it is always possible.`,
    ...actionLines(actions),
  ];
  return lines.join("\n\n");
}

function saidBy({ by, at, miss }: StandingLevel, wording: Wording): string {
  if (at === "") return "Nobody set it: every repository begins there.";
  return miss ? `Forge took it down on ${moment(at)}.` : `Set by ${foreignCode(by, wording)} on ${moment(at)}.`;
}

/** For which kinds of task the level counts. */
function carriedLine({ level, carries, own = {} }: StandingLevel): string[] {
  if (level < 2) return [];
  const names = (all: StandingLevel["carries"]) => {
    const of = Object.entries(all).filter(([, its]) => its === level);
    return of.map(([task]) => TASKS[task as keyof typeof TASKS]).join(", ");
  };
  const its = names(own) === "" ? "" : `, and for Forge's own pull requests of ${names(own)}`;
  const all = `${names(carries) || (its === "" ? "no kind of task" : "no pull requests of people")}${its}`;
  return [`It counts for ${all}: what their records carried when it was set.`];
}

function nextTable(level: number, standings: readonly Standing[]): string {
  const rows = standings
    .filter((one) => one.level === level && (one.of === "review" || one.runs + one.pending > 0))
    .map((one) => `| ${TASKS[one.task]} | ${recordOf(one)} | ${missing(one)} |`);
  return [`| to level ${level} | record | missing |`, "|---|---|---|", ...rows].join("\n");
}

/** "12 reviewed pull requests, 1 failed". */
export function recordOf({ of, runs, failures, pending }: Standing): string {
  const what = of === "review" ? "reviewed pull request" : "pull request of its own";
  const known = `${count(runs, what).replace("own s", "own")}, ${failures} failed`;
  return pending > 0 ? `${known}; ${pending} more wait for their outcome` : known;
}

/** What a record lacks, in numbers. */
export function missing(one: Standing): string {
  const { runs, failures, successes, limit, evidence, critical, holds } = one;
  if (holds) return "nothing";
  const lacking = Math.max(0, successes - (runs - failures));
  return (
    [
      ...(lacking > 0 ? [`${lacking} of ${successes} good ones`] : []),
      ...(evidence < CONVINCING
        ? [`evidence ${evidence.toFixed(1)} of ${CONVINCING} that fewer than ${percent(limit)} fail`]
        : []),
      ...(critical > 0 && lacking === 0 && evidence >= CONVINCING ? [`${critical} critical missed`] : []),
    ].join("; ") || "the level below"
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const ACTION_WORDS = { approved: "approved", merged: "merged", formatted: "formatted" } as const;
/** What it was done to; `count` takes the word. */
const ACTED_ON = { approved: "pull request", merged: "pull request", formatted: "piece" } as const;

function actionLines(actions: LevelFacts["actions"]): string[] {
  if (actions.length === 0) return ["By itself Forge did nothing here so far."];
  const said = actions.map(
    ({ level, action, count: times }) =>
      `level ${level}: ${ACTION_WORDS[action]} ${count(times, ACTED_ON[action])}${action === "formatted" ? " of its own work" : ""}`,
  );
  return [`By itself Forge did here: ${said.join("; ")}.`];
}

const MISSES: Readonly<Record<Miss["is"], string>> = {
  reverted: "a change was reverted",
  mended: "lines of a change had to be fixed within 30 days",
  missed: "a fault was missed",
  critical: "a critical fault was missed",
  rolled_back: "a version was rolled back",
  production_error: "a version caused an error",
  drift: "failures became more frequent than the level allows",
};

function missLine({ is, action, by, version }: Miss): string {
  if (version !== undefined) {
    const what = is === "rolled_back" ? "was rolled back" : "caused an error";
    return `Why: the version \`${shortSha(version)}\`, which Forge had let pass, ${what}. The record starts again from there.`;
  }
  const own = action ? ` that Forge had ${ACTION_WORDS[action]} by itself` : "";
  const after = by?.pull ? ` by #${by.pull}` : by?.commit ? ` by \`${shortSha(by.commit)}\`` : "";
  return `Why: ${MISSES[is]}${own ? `${own},` : ""}${after}. The record restarts from there.`;
}

/** What is said where it happened. */
export function demotedText({ from, to, miss }: { from: number; to: number; miss: Miss }): string {
  return [
    `**Forge went down from level ${from} to level ${to} in this repository:** it ${DOES[to]}.`,
    missLine(miss),
    "What there is to say of it: `/forge level`",
  ].join("\n\n");
}

export type LevelRefusal = Extract<
  Refusal,
  { reason: "reports_only" | "unknown_level" | "level_unbuilt" | "level_capped" | "level_unearned" }
>;

/** Why a level was not set; undefined for other refusals. */
export function aboutLevel(refusal: Refusal, wording: Wording): string | undefined {
  switch (refusal.reason) {
    case "reports_only":
      return `\`${refusal.name}\` is not for level 0: here Forge only reports. What there is to say of it: \`/forge level\``;
    case "unknown_level":
      return `${foreignCode(refusal.written, wording)} is no level. There are 0 to 4: \`/forge level\``;
    case "level_unbuilt":
      return `Level ${refusal.level} could not be set in the version of Forge that was at work.`;
    case "level_capped":
      return `Level ${refusal.level} is more than the configuration allows (\`safety.automation_level: ${refusal.cap}\`).`;
    case "level_unearned":
      return `The record does not carry level ${refusal.level} yet. Nearest is ${TASKS[refusal.record.task]} (${recordOf(refusal.record)}); missing: ${missing(refusal.record)}.`;
    default:
      refusal.reason satisfies Exclude<Refusal["reason"], LevelRefusal["reason"]>;
      return undefined;
  }
}
