import { shortSha } from "./wording.ts";

interface Fixed {
  readonly headSha: string;
  readonly secret?: boolean | undefined;
}

/** What is said in a finding's thread when the finding is gone; `resolved` is false where Forge may not resolve the thread itself. */
export function fixedReply({ headSha, secret }: Fixed, resolved: boolean): string {
  const sha = `\`${shortSha(headSha)}\``;
  const fixed = secret ? `Gone from the branch's history since ${sha}.` : `Fixed in ${sha}.`;
  return resolved ? fixed : `${fixed} Resolve this thread.`;
}

/** What is said there when it is back. */
export function backReply(headSha: string): string {
  return `Back since \`${shortSha(headSha)}\`.`;
}
