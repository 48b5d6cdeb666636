import { z } from "zod";
import type { IssueFacts } from "../../pipeline/runs/ports.ts";
import type { IssuePort, IssueText } from "../../tools/ports.ts";
import { PAGE_SIZE } from "../ask.ts";
import { authorOf, Sender } from "../handlers/payloads.ts";
import type { Read } from "../reader.ts";

const Label = z.union([z.string(), z.object({ name: z.string().nullish() })]);

const Text = z.object({
  user: Sender.nullish(),
  body: z.string().nullish(),
  author_association: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const Issue = Text.extend({
  number: z.number().int(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  labels: z.array(Label),
  comments: z.number().int(),
  pull_request: z.object({}).nullish(),
});
export type Issue = z.infer<typeof Issue>;

export const Comment = Text.extend({ id: z.number().int() });
export type Comment = z.infer<typeof Comment>;

export function readIssue(read: Read, number: number): Promise<Issue | undefined> {
  return read(Issue, "GET /repos/{owner}/{repo}/issues/{issue_number}", { issue_number: number });
}

/** The oldest and the newest comments, oldest first, in at most three requests. */
export async function readComments(read: Read, { number, comments: total }: Issue) {
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
  const last = Math.ceil(total / PAGE_SIZE);
  const pages = [1, last - 1, last].filter((page, at, all) => page > 0 && all.indexOf(page) === at);
  const found: Comment[] = [];
  for (const page of pages) {
    found.push(...((await read(z.array(Comment), route, { issue_number: number, per_page: PAGE_SIZE, page })) ?? []));
  }
  return { comments: found, unread: Math.max(0, total - found.length) };
}

export function issueFacts(issue: Issue): IssueFacts {
  return {
    open: issue.state === "open",
    isPull: Boolean(issue.pull_request),
    title: issue.title,
    author: authorOf(issue.user),
    labels: labelsOf(issue),
    updatedAt: issue.updated_at,
  };
}

export function labelsOf({ labels }: Issue): string[] {
  return labels.flatMap((label) => (typeof label === "string" ? label : label.name) || []);
}

/** The issues of one repository for an agent's tool, which redacts, cuts and fences what it shows. Nothing by bots is left out here. */
export function issuesForAgents(reader: (signal: AbortSignal) => Read): IssuePort {
  return {
    fetchIssue: async (number, signal): Promise<IssueText | undefined> => {
      const read = reader(signal);
      const issue = await readIssue(read, number);
      if (!issue) return undefined;
      const { comments, unread } = await readComments(read, issue);
      const { title, state } = issue;
      return {
        ...{ number, title, state },
        ...said(issue),
        labels: labelsOf(issue),
        comments: comments.map(said),
        moreComments: unread,
      };
    },
  };
}

function said({
  user,
  author_association: role,
  created_at: at,
  body,
}: Pick<Comment, "user" | "author_association" | "created_at" | "body">) {
  return { author: authorOf(user).login, role: (role ?? "none").toLowerCase(), at, body: body ?? "" };
}
