/** Letters that Unicode does not take apart into a plain one and a mark. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ı: "i",
  þ: "th",
};

const MOST_CHARACTERS = 60;
const NAME = /^forge\/[1-9]\d{0,9}(?:-[a-z0-9]+)*$/;

/**
 * The branch on which an issue is implemented (IMPL-1), such as `forge/42-rate-limit-login`: the same for the same issue and title, ASCII,
 * at most 60 characters. A title without a letter or digit of that kind gives `forge/42`.
 */
export function branchName(issueNumber: number, title: string): string {
  const start = `forge/${issueNumber}`;
  const words = plainWords(title);
  let name = start;
  for (const word of words) {
    if (name.length + 1 + word.length <= MOST_CHARACTERS) name += `-${word}`;
    else break;
  }
  // A first word that is too long alone is cut rather than lost.
  return name === start && words[0] !== undefined ? `${start}-${words[0]}`.slice(0, MOST_CHARACTERS) : name;
}

/** The name to try when somebody else, such as an earlier run, has that branch: `forge/42-rate-limit-login-2`, then `-3`. */
export function nextBranchName(taken: string, issueNumber: number, title: string): string {
  const stem = branchName(issueNumber, title)
    .slice(0, MOST_CHARACTERS - 4)
    .replace(/-$/, "");
  const tried = taken.startsWith(`${stem}-`) ? /^[1-9]\d{0,2}$/.exec(taken.slice(stem.length + 1)) : null;
  return `${stem}-${Number(tried?.[0] ?? 1) + 1}`;
}

/** Whether `branchName` could have given the name: the only branches that Forge pushes to. */
export function isForgeBranch(name: string): boolean {
  return name.length <= MOST_CHARACTERS && NAME.test(name);
}

function plainWords(title: string): string[] {
  const plain = title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøłđıþ]/g, (letter) => SPELLED[letter] ?? "")
    .replace(/['’]/g, "");
  return plain.split(/[^a-z0-9]+/).filter((word) => word !== "");
}
