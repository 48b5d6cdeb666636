import type { EffectResult } from "../../domain/effects.ts";
import type { ReviewComment } from "../github-repository.ts";
import { fileComment } from "../words/finding-comment.ts";
import type { EffectOf, Send } from "./effect-ports.ts";
import { orRefused } from "./metered-writes.ts";
import type { RefusedComment } from "./submit-review.ts";

type Placed = NonNullable<EffectResult["placed"]>;

/** Findings whose lines GitHub refused, as comments on their files; where it refuses that too they are left to the annotations (GH-10). `there`: those of an earlier attempt. */
export async function postFileComments(
  effect: EffectOf<"review.post">,
  refused: readonly RefusedComment[],
  there: readonly ReviewComment[],
  { write, wording }: Send,
): Promise<Placed> {
  const pull = effect.subject.number;
  const placed: Placed = [];
  for (const { finding, marker, reason, onFile } of refused) {
    const findingId = finding.id;
    const earlier = there.find(({ byBot, body }) => byBot && body.includes(marker));
    if (earlier) {
      placed.push({ findingId, placement: "file_comment", commentId: earlier.id, reason });
      continue;
    }
    const body = fileComment(finding, wording, marker);
    const comment = { commitId: effect.payload.headSha, path: finding.file, body };
    const posted = onFile ? await orRefused(write.createFileComment(pull, comment)) : undefined;
    if (posted?.ok) placed.push({ findingId, placement: "file_comment", commentId: posted.value.id, reason });
    else placed.push({ findingId, placement: "annotation", reason: posted?.message ?? reason });
  }
  return placed;
}
