import { guardOf, type LedgerEntry } from "../domain/findings.ts";
import type { Hiding } from "../domain/hiding.ts";
import { atLeast, numberOf, type RepositoryRef, type Role, type Subject } from "../domain/subjects.ts";
import { type InputDependencies, submit } from "../pipeline/runs/handle-input.ts";
import type { CommentPort } from "../pipeline/runs/ports.ts";
import { classOf, isContradicted, isInClass, replayClass, type TaughtFinding } from "../safety/finding-class.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { type KeptFinding, readFindingsOfRule, readHidings } from "../store/runs/hidings.ts";
import { readLedger } from "../store/runs/ledger.ts";

export interface ProposeDependencies extends InputDependencies {
  readonly comments: Pick<CommentPort, "readRole">;
}

interface About {
  readonly subject: Subject;
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

/** Findings of the past that a class is replayed on, and those of them that are listed. */
const MOST_PAST = 2_000;
const MOST_LISTED = 20;
/** People whose role is asked for; what others dismissed teaches nothing. */
const MOST_PEOPLE = 30;

/**
 * Where people dismissed findings of a kind again and again, hiding them is proposed (MEM-6), on the pull request of the last of these
 * dismissals, with what it would have hidden so far. A class that people turned down or that was switched off is not proposed again.
 */
export async function proposeHiding(dependencies: ProposeDependencies, about: About): Promise<void> {
  const { store } = dependencies;
  const { subject, signal } = about;
  const { repository } = subject;
  const taughtHere = (await readLedger(store, subject)).filter(isTeaching);
  const rules = new Set(taughtHere.map(({ finding }) => finding.rule));
  if (rules.size === 0) return;
  const roleOf = rolesIn(dependencies, repository, signal);
  for (const rule of rules) {
    const past = await readFindingsOfRule(store, repository.id, rule, MOST_PAST);
    const taught = await teachersOf(past, roleOf);
    for (const like of taught.filter(({ pull }) => pull === numberOf(subject))) {
      const known = await readHidings(store, repository.id);
      if (known.some((hiding) => coversAlready(hiding, like))) continue;
      const found = classOf(like, taught, repository.id);
      if (!found || known.some((hiding) => hiding.class.id === found.id)) continue;
      const members = taught.filter(({ finding }) => found.taught.some((one) => one.findingId === finding.id));
      const last = members.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.order - b.order)).at(-1);
      if (last?.pull !== numberOf(subject) || isContradicted(found, past)) continue;
      const cause = `hiding:${found.id}`;
      const replay = replayClass(found, past, MOST_LISTED);
      const payload = { cause, class: found, replay };
      await submit(dependencies, about, {
        type: "learning.observed",
        cause,
        events: [{ type: "hiding.proposed", payload }],
      });
    }
  }
}

/** Whether a person dismissed this very finding with a reason; what a wider dismissal took along is nobody's word on it. */
function isTeaching({ finding, state, dismissal }: LedgerEntry): boolean {
  const isOwn = state === "dismissed" && dismissal?.findingId === finding.id;
  return isOwn && dismissal.reason !== "" && guardOf(finding) === undefined;
}

/** The dismissals of those who may teach: push permission now, whatever they had then. */
async function teachersOf(
  past: readonly KeptFinding[],
  roleOf: (login: string) => Promise<Role>,
): Promise<TaughtFinding[]> {
  const taught: TaughtFinding[] = [];
  for (const { dismissal, ...kept } of past) {
    if (kept.became !== "dismissed" || dismissal === undefined || dismissal.by.kind !== "user") continue;
    if (dismissal.findingId !== kept.finding.id || dismissal.reason === "") continue;
    const role = await roleOf(dismissal.by.login);
    if (!atLeast(role, "write")) continue;
    const { by, reason, at } = dismissal;
    taught.push({ ...kept, by, reason, at, maintains: atLeast(role, "maintain") });
  }
  return taught;
}

function rolesIn({ comments }: ProposeDependencies, repository: RepositoryRef, signal: AbortSignal) {
  const roles = new Map<string, Role>();
  return async (login: string): Promise<Role> => {
    const known = roles.get(login);
    if (known !== undefined || roles.size >= MOST_PEOPLE) return known ?? "none";
    const role = await comments.readRole(repository, login, signal);
    roles.set(login, role);
    return role;
  };
}

function coversAlready(hiding: Hiding, { finding }: TaughtFinding): boolean {
  return hiding.class.taught.some(({ findingId }) => findingId === finding.id) || isInClass(finding, hiding.class);
}
