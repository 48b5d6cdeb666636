import type { DeployOutcome } from "../domain/deployments.ts";
import type { Role } from "../domain/subjects.ts";

/** Why nobody is signed in now. */
export type SignInRefusal = "not_begun_here" | "cancelled" | "refused";

/** What pages say; of what GitHub and Forge say on GitHub, `src/github/words/` has the words. */
export const SIGN_IN = {
  title: "Sign in",
  what: "Forge shows what waits for people, what runs, what failed and what was delivered, in the repositories that GitHub lists for you.",
  button: "Sign in with GitHub",
};

export const REFUSALS: Readonly<Record<SignInRefusal, string>> = {
  not_begun_here: "This sign-in was not begun in this browser, or more than 10 minutes ago. Begin it again here.",
  cancelled: "Nobody was signed in: it was cancelled on GitHub.",
  refused: "GitHub did not accept this sign-in. A code is good for one time and 10 minutes. Begin it again here.",
};

/** Pages that say that something is not so. */
export const TROUBLE = {
  notFound: {
    title: "There is no such page",
    what: "There is no such page here, or it is about a repository that GitHub does not list for you.",
  },
  forged: {
    title: "Refused",
    what: "This request did not come from a page of this Forge, so nothing was done. Go back to the page, load it again, and press there.",
  },
  tooLarge: { title: "Too large", what: "This form is larger than any of this Forge. Nothing was done." },
  unavailable: {
    title: "GitHub does not answer",
    what: "Forge asks GitHub what you may see, and GitHub does not answer now. Load this page again in a minute.",
  },
  broken: { title: "Something went wrong", what: "This page could not be made. The log of Forge says why." },
};

export const SECTIONS = {
  waits: { title: "Waits for a person", none: "Nothing waits for a person." },
  runs: { title: "At work", none: "Nothing is at work." },
  failed: { title: "Failed in the last 7 days", none: "Nothing failed in the last 7 days." },
  delivered: { title: "Merged and deployed", none: "Nothing was merged or deployed yet." },
};

export const NO_REPOSITORIES =
  "GitHub lists no repository for you on which this Forge is installed. Ask an owner of the repository, or of its organisation's Apps.";

export const ANSWERED: Readonly<Record<"approve" | "reject", string>> = {
  approve:
    "Your yes stands on GitHub as a comment of yours. Forge checks there whether you may give it, and answers there.",
  reject:
    "Your no stands on GitHub as a comment of yours. Forge checks there whether you may give it, and answers there.",
};

/** Who may answer a gate. */
export function needs(role: Role): string {
  return `needs ${role === "write" ? "push" : role} permission`;
}

export const DELIVERED: Readonly<Record<"merged" | DeployOutcome, string>> = {
  merged: "merged",
  healthy: "deployed and healthy",
  unwatched: "deployed, watched by nobody",
  rolled_back: "rolled back",
  rollback_failed: "rollback failed",
  refused: "not deployed: refused",
  failed: "deployment failed",
  rejected: "not deployed: rejected",
  superseded: "not deployed: a later version took its place",
  held: "not deployed: someone objected",
};

const UNITS = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
] as const;

/** "3 min", "2 h", "5 d"; "a moment" below a minute. */
export function span(milliseconds: number): string {
  const seconds = Math.floor(Math.abs(milliseconds) / 1000);
  const unit = UNITS.find(([length]) => seconds >= length);
  return unit ? `${Math.floor(seconds / unit[0])} ${unit[1]}` : "a moment";
}
