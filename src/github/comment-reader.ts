import { z } from "zod";
import type { CommandSource } from "../domain/command-source.ts";
import { defined } from "../domain/defined.ts";
import { numberOf, type Role, type Subject } from "../domain/subjects.ts";
import type { CommentNow, CommentPort, Vote } from "../pipeline/runs/ports.ts";
import type { AppClient } from "./app-client.ts";
import { PAGE_SIZE } from "./ask.ts";
import { actor, Sender } from "./handlers/payloads.ts";
import { ISSUE_READ_PERMISSIONS, READ_PERMISSIONS } from "./permissions.ts";
import { createReader, type Read } from "./reader.ts";

const Comment = z.object({
  body: z.string().nullish(),
  user: Sender.nullish(),
  in_reply_to_id: z.number().int().nullish(),
  created_at: z.string().nullish(),
  submitted_at: z.string().nullish(),
  html_url: z.string().nullish(),
  path: z.string().nullish(),
  side: z.string().nullish(),
  line: z.number().int().positive().nullish(),
  start_line: z.number().int().positive().nullish(),
  commit_id: z.string().nullish(),
  original_line: z.number().int().positive().nullish(),
  original_start_line: z.number().int().positive().nullish(),
  original_commit_id: z.string().nullish(),
});
type Comment = z.infer<typeof Comment>;
const Comments = z.array(Comment.extend({ id: z.number().int() }));
/** A page of the API; a thread that began longer ago is read in part. */
const NEWEST = 100;
const Rated = z.object({ id: z.number().int(), reactions: z.object({ "+1": z.int(), "-1": z.int() }).nullish() });
const Reactions = z.array(z.object({ content: z.string(), user: Sender.nullish() }));
const VOTES: Readonly<Record<string, Vote["is"]>> = { "+1": "up", "-1": "down" };
/** Comments of a pull request that are looked through for votes: 500. */
const MOST_PAGES = 5;
const flag = z.boolean().optional();
const Permission = z.object({
  user: z
    .object({ permissions: z.object({ admin: flag, maintain: flag, push: flag, triage: flag, pull: flag }).nullish() })
    .nullish(),
});

/** Octokit sends what a route does not name as a query, so each gets exactly its own. */
function routeOf(
  { kind, id }: CommandSource,
  pull: number,
): [route: string, parameters: Record<string, unknown>] | undefined {
  switch (kind) {
    case "issue_comment":
      return ["GET /repos/{owner}/{repo}/issues/comments/{comment_id}", { comment_id: Number(id) }];
    case "review_comment":
      return ["GET /repos/{owner}/{repo}/pulls/comments/{comment_id}", { comment_id: Number(id) }];
    case "review": {
      const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}";
      return [route, { pull_number: pull, review_id: Number(id) }];
    }
    case "button":
    case "label":
    case "delivery":
    case "fault":
      return undefined;
    default:
      return kind satisfies never;
  }
}

/** Permissions to read a comment: nothing but issues and pull requests has any. */
function permissionsFor({ kind }: Subject): Readonly<Record<string, "read">> {
  return kind === "issue" ? ISSUE_READ_PERMISSIONS : READ_PERMISSIONS;
}

/** Reads comments, and what their authors may do, through the REST API. */
export function createCommentReader(client: Pick<AppClient, "repository">): CommentPort {
  return {
    readComment: async (subject, source, signal) => {
      const { repository } = subject;
      const place = routeOf(source, numberOf(subject));
      if (!place) return undefined;
      const comment = await createReader(client, repository, permissionsFor(subject), signal)(Comment, ...place);
      if (!comment?.user) return undefined;
      const { body, user, in_reply_to_id: thread } = comment;
      const createdAt = comment.created_at ?? comment.submitted_at;
      return {
        body: body ?? "",
        author: actor(user),
        ...defined({ thread: thread || undefined, createdAt: createdAt || undefined }),
        ...defined({ url: comment.html_url || undefined, on: linesOf(comment) }),
      };
    },
    readThread: async (subject, thread, signal) => {
      const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments";
      const newest = { sort: "created", direction: "desc", per_page: NEWEST };
      const read = createReader(client, subject.repository, READ_PERMISSIONS, signal);
      return ((await read(Comments, route, { pull_number: numberOf(subject), ...newest })) ?? [])
        .filter(({ id, in_reply_to_id: root }) => id === thread || root === thread)
        .map(({ id, user, body }) => ({ id, by: user?.login ?? "", body: body ?? "" }))
        .reverse();
    },
    readVotes: async (subject, comments, signal) => {
      const read = createReader(client, subject.repository, READ_PERMISSIONS, signal);
      const votes: Vote[] = [];
      for (const commentId of await rated(read, numberOf(subject), comments)) {
        const route = "GET /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions";
        const given = await read(Reactions, route, { comment_id: commentId, per_page: PAGE_SIZE });
        for (const { content, user } of given ?? []) {
          const is = VOTES[content];
          if (is !== undefined && user) votes.push({ commentId, by: actor(user), is });
        }
      }
      return votes;
    },
    readRole: async (repository, login, signal) => {
      const route = "GET /repos/{owner}/{repo}/collaborators/{username}/permission";
      const answer = await createReader(
        client,
        repository,
        READ_PERMISSIONS,
        signal,
      )(Permission, route, { username: login });
      return roleFrom(answer?.user?.permissions ?? {});
    },
  };
}

/** Those of the comments that anybody voted on: GitHub counts reactions where it lists comments, so that most need no request. */
async function rated(read: Read, pull: number, comments: readonly number[]): Promise<number[]> {
  const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments";
  const wanted = new Set(comments);
  const found: number[] = [];
  for (let page = 1; page <= MOST_PAGES && wanted.size > 0; page += 1) {
    const listed = (await read(z.array(Rated), route, { pull_number: pull, per_page: PAGE_SIZE, page })) ?? [];
    for (const { id, reactions } of listed) {
      if (wanted.delete(id) && reactions && reactions["+1"] + reactions["-1"] > 0) found.push(id);
    }
    if (listed.length < PAGE_SIZE) break;
  }
  return found;
}

/** Where a review comment stands: on the head, or where that does not have its lines any more, on the commit that it was written on. */
function linesOf(comment: Comment): CommentNow["on"] {
  const { path, side, line, original_line: before } = comment;
  if (!path || side !== "RIGHT") return undefined;
  const sha = line ? comment.commit_id : comment.original_commit_id;
  const endLine = line ?? before;
  const startLine = (line ? comment.start_line : comment.original_start_line) ?? endLine;
  return sha && endLine && startLine ? { path, startLine, endLine, sha } : undefined;
}

/** The role that `user.permissions` of GitHub's collaborator API comes to; its plain `permission` field folds two of them away. */
export function roleFrom(permissions: {
  readonly admin?: boolean | undefined;
  readonly maintain?: boolean | undefined;
  readonly push?: boolean | undefined;
  readonly triage?: boolean | undefined;
  readonly pull?: boolean | undefined;
}): Role {
  if (permissions.admin) return "admin";
  if (permissions.maintain) return "maintain";
  if (permissions.push) return "write";
  if (permissions.triage) return "triage";
  return permissions.pull ? "read" : "none";
}
