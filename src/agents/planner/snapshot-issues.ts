import type { IssueSnapshot } from "../../domain/implementation.ts";
import type { IssuePort } from "../../tools/ports.ts";

/**
 * Issues as an agent of a run may fetch them: its own one stays what it was at the trigger, whatever was written or edited since (PLAN-1);
 * others, such as those that it links to, are read as they are.
 * @param number of the run's own issue
 */
export function snapshotIssues(issues: IssuePort, number: number, snapshot: IssueSnapshot): IssuePort {
  const { title, body, labels, comments, leftOut } = snapshot;
  const said = ({ by, role, at, text }: IssueSnapshot["body"]) => ({ author: by.login, role, at, body: text });
  return {
    fetchIssue: async (asked, signal) => {
      if (asked !== number) return issues.fetchIssue(asked, signal);
      return {
        ...said(body),
        ...{ number, title, labels, state: "open" },
        comments: comments.map(said),
        moreComments: leftOut.comments,
      };
    },
  };
}
