import { coAuthorLine } from "../../../agents/implementer/commit-message.ts";
import type { Actor } from "../../../domain/subjects.ts";

const IDS_PER_LINE = 8;

/** The message of a commit of suggested fixes: which findings it is for, and who had them committed. Nothing in it is a model's word. */
export function fixCommitMessage(findingIds: readonly string[], by: Actor): string {
  const count = findingIds.length;
  const header = count === 1 ? "fix: apply a suggested fix of Forge" : `fix: apply ${count} suggested fixes of Forge`;
  const lines: string[] = [];
  for (let at = 0; at < count; at += IDS_PER_LINE) lines.push(findingIds.slice(at, at + IDS_PER_LINE).join(", "));
  const email = `${by.id > 0 ? `${by.id}+` : ""}${by.login}@users.noreply.github.com`;
  return [header, "", ...lines, "", ...coAuthorLine({ name: by.login, email }), ""].join("\n");
}
