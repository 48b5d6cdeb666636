import { Hono } from "hono";
import { hasRole } from "../access/permissions.ts";
import { talking } from "../people/talking.ts";
import { Problem } from "../problem.ts";
import { fullName, isPull, type World } from "../world.ts";
import { formOf, said, talkOf } from "./asked.ts";
import { issuePage } from "./issue-page.ts";
import { pathOf } from "./paths.ts";

const ISSUE = "/:owner/:repo/issues/:number{[0-9]+}";

export function issueRoutes(world: World): Hono {
  const pages = new Hono();
  const people = talking(world);

  pages.get(ISSUE, (call) => {
    const asked = talkOf(world, call);
    return isPull(asked) ? call.redirect(pathOf(asked)) : call.html(issuePage(world, asked));
  });
  pages.post(`${ISSUE}/comments`, async (call) => {
    const issue = talkOf(world, call);
    const { by, body } = await formOf(call, world, issue);
    const { id } = people.comment(fullName(issue.repository), issue.number, { by, body: said(body) });
    return call.redirect(`${pathOf(issue)}#comment-${id}`, 303);
  });
  pages.post(`${ISSUE}/labels`, async (call) => {
    const issue = talkOf(world, call);
    const { account, by, label, chosen } = await formOf(call, world, issue);
    if (!hasRole(issue.repository, account, "triage"))
      throw new Problem(403, "Labels are given by those who have the role triage or more.");
    if (label === "") throw new Problem(422, "A label needs a name.");
    const name = fullName(issue.repository);
    if (chosen === "remove") await people.removeLabel(name, issue.number, label, by);
    else await people.addLabel(name, issue.number, label, by);
    return call.redirect(pathOf(issue), 303);
  });
  pages.post(`${ISSUE}/state`, async (call) => {
    const issue = talkOf(world, call);
    const { account, by, chosen } = await formOf(call, world, issue);
    if (issue.user !== account && !hasRole(issue.repository, account, "triage"))
      throw new Problem(403, "An issue is closed by its author, or by those who have the role triage or more.");
    const name = fullName(issue.repository);
    if (chosen === "reopen") people.reopenIssue(name, issue.number, by);
    else people.closeIssue(name, issue.number, by);
    return call.redirect(pathOf(issue), 303);
  });
  return pages;
}
