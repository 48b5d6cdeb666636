import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import type { Feedback } from "../../domain/implementation.ts";
import type { Role } from "../../domain/subjects.ts";
import type { ReviewFeedback } from "../../pipeline/runs/ports.ts";
import type { Redact } from "../../safety/redact.ts";
import { actor, Sender } from "../handlers/payloads.ts";
import type { Read } from "../reader.ts";
import { keep, saysSomething } from "./read-snapshot.ts";

const Review = z.object({ user: Sender.nullish(), state: z.string(), body: z.string().nullish() });
const Comment = z.object({
  id: z.number().int().positive(),
  user: Sender.nullish(),
  body: z.string(),
  path: z.string(),
  in_reply_to_id: z.number().int().positive().nullish(),
});
const CommentLine = z.object({
  id: z.number().int().positive(),
  line: z.number().int().nullish(),
  original_line: z.number().int().nullish(),
});

const MESSAGE_CHARACTERS = 4_000;
/** Comments of one review that are worked on: one page. */
const MOST = 100;

/** Reads what a person asked for in a review: its own text as `R<id>`, each of its comments as `C<id>` (GH-6). */
export async function readReviewFeedback(
  {
    read,
    readRole,
    redact,
  }: { readonly read: Read; readonly readRole: (login: string) => Promise<Role>; readonly redact: Redact },
  { pull, reviewId }: { readonly pull: number; readonly reviewId: number },
): Promise<ReviewFeedback | undefined> {
  const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}";
  const place = { pull_number: pull, review_id: reviewId };
  const review = await read(Review, route, place);
  if (!review?.user) return undefined;
  const by = actor(review.user);
  const role = await readRole(by.login);
  if (review.state !== "CHANGES_REQUESTED") return { by, role, feedback: [] };
  const all = (await read(z.array(Comment), `${route}/comments`, { ...place, per_page: MOST })) ?? [];
  const own = all.filter(({ user, body }) => user?.id === by.id && saysSomething(body));
  const message = async (text: string | null | undefined) => (await keep(text, MESSAGE_CHARACTERS, redact)).text;
  const common = { from: "person", by: by.login } as const;
  const lines = own.length > 0 ? await readLines(read, pull) : new Map<number, number>();
  const feedback: Feedback[] = [];
  for (const { id, body, path: file, in_reply_to_id: root } of own) {
    const line = lines.get(id);
    feedback.push({
      ...common,
      id: `C${id}`,
      message: await message(body),
      file,
      ...defined({ line: line || undefined }),
      thread: root ?? id,
    });
  }
  if (!saysSomething(review.body)) return { by, role, feedback };
  return { by, role, feedback: [{ ...common, id: `R${reviewId}`, message: await message(review.body) }, ...feedback] };
}

/**
 * On which lines the newest comments stand. The list of one review's comments does not say it
 * (https://docs.github.com/en/rest/pulls/reviews#list-comments-for-a-pull-request-review); the list of the pull request does.
 */
async function readLines(read: Read, pull: number): Promise<ReadonlyMap<number, number>> {
  const newest = { pull_number: pull, sort: "created", direction: "desc", per_page: MOST };
  const places =
    (await read(z.array(CommentLine), "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", newest)) ?? [];
  return new Map(
    places.flatMap(({ id, line, original_line: before }) => {
      const at = line ?? before;
      return at ? [[id, at] as const] : [];
    }),
  );
}
