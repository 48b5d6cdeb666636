import { foreignPlain, type Wording, withFullStop } from "../wording.ts";

/** What GitHub says when it refuses a push, what that means, and what to do about it. */
const KNOWN: readonly (readonly [RegExp, string, string])[] = [
  [
    /without `?workflows?`? (?:permission|scope)/i,
    "push_needs_workflows",
    "The work changes a file in `.github/workflows`, and the App may not. Give it the permission `workflows: write`, or have the work done without that file.",
  ],
  [
    /push protection|secret[ -]scanning|cannot contain secrets|GH009/i,
    "push_has_secret",
    "GitHub found a secret in the commits. Nothing of them was published; have the work done without it.",
  ],
  [
    /GH00[16]: large files|exceeds GitHub's file size limit|GH001/i,
    "push_too_large",
    "A file in the commits is larger than GitHub takes.",
  ],
  [
    /protected branch|GH006|GH013|repository rule violations|cannot create ref|pre-receive hook declined/i,
    "push_protected",
    "A branch protection or ruleset covers `forge/**`. Let the App pass it, or leave these branches out of it.",
  ],
  [/archived|read-only/i, "push_read_only", "The repository takes no pushes: it is archived or read-only."],
  [/permission|denied|forbidden|\b403\b|unauthori[sz]ed/i, "push_forbidden", mayNotWrite()],
];

/** The same where the branch is one of people. */
const OF_PEOPLE: Readonly<Record<string, string>> = {
  push_protected: "A branch protection or ruleset covers the branch. The suggestions in the comments can be committed.",
};

/** Two sentences, without a place. */
export function mayNotWrite(): string {
  return "The App may not write here. Give it the permission `contents: write`.";
}

/** One sentence for people about a push that was refused, with a stable code; GitHub's own words last. Plain text: the caller makes it neutral. */
export function pushRefusal(
  { branch, theirs = false }: { readonly branch: string; readonly theirs?: boolean | undefined },
  reason: string,
  wording: Wording,
): { readonly code: string; readonly message: string } {
  const known = KNOWN.find(([pattern]) => pattern.test(reason));
  const what = `GitHub refused the push to \`${branch}\`.`;
  const advice = known ? ` ${theirs ? (OF_PEOPLE[known[1]] ?? known[2]) : known[2]}` : "";
  const said = withFullStop(foreignPlain(reason.replace(/\s+/g, " "), wording, 300));
  return { code: known?.[1] ?? "push_refused", message: `${what}${advice} It said: ${said}` };
}
