import { shortSha } from "./wording.ts";

/** What is said in a finding's thread when the finding is gone. */
export function fixedReply({ headSha, secret }: { readonly headSha: string; readonly secret?: boolean | undefined }) {
  const sha = `\`${shortSha(headSha)}\``;
  return secret ? `Gone from the branch's history since ${sha}.` : `Fixed in ${sha}.`;
}

/** What is said there when it is back. */
export function backReply(headSha: string): string {
  return `Back since \`${shortSha(headSha)}\`.`;
}
