/** What a commit is called: of a merged pull request the title, which stands below the line that GitHub writes, and its branch. */
export function titleOf(subject: string, body: string): string {
  if (!/^Merge pull request #\d+ from /.test(subject)) return subject;
  const branch = subject.slice(subject.lastIndexOf("/") + 1).replaceAll(/[-_]/g, " ");
  const title = body.split("\n").find((line) => line.trim() !== "");
  return `${title ?? ""} (${branch})`;
}

const FIX = /\b(?:fix(?:e[sd]|ing)?|bugs?|bug-?fix(?:es)?|hot-?fix|regressions?|crash(?:es|ed|ing)?)\b/i;
const REVERT = /\b(?:reverts?|reverted)\b/i;
/** By its own word it mends something else than what the program does. */
const OTHER_KIND =
  /^\W*(?:docs?|chore|styles?|tests?|ci|build|refactor|lint|deps?|release|website|examples?|types?)\b[^:\n]{0,40}:/i;
const OTHER_FIX =
  /\bfix\w{0,20}\W{1,20}(?:\w{1,40}\W{1,20}){0,2}(?:typos?|spelling|grammar|lint\w{0,20}|white ?space|indent\w{0,20}|format\w{0,20}|comments?|readme|docs?|documentation|changelog|(?:dead |broken )?links?|tests?|ci|travis|badges?|jsdoc|examples?|coverage|workflows?|merge conflicts?)\b/i;

/** Whether a commit says by its title that it mends what the program does: not a typo, a test or a comment. */
export function saysFix(title: string): boolean {
  return FIX.test(title) && !saysOther(title);
}

/** The same, or that it takes something back. */
export function saysFixOrRevert(title: string): boolean {
  return (FIX.test(title) || REVERT.test(title)) && !saysOther(title);
}

function saysOther(title: string): boolean {
  return OTHER_KIND.test(title) || OTHER_FIX.test(title);
}
