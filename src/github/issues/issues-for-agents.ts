import type { IssuePort, IssueText } from "../../tools/ports.ts";
import { authorOf } from "../handlers/payloads.ts";
import type { Read } from "../reader.ts";
import { type Comment, labelsOf, readComments, readIssue } from "./read-issue.ts";

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
