// Pages to look at, and forms to do by hand what people do: at the addresses that GitHub has.
import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { hasRole } from "../access/permissions.ts";
import { talking } from "../people/talking.ts";
import { notFound, Problem } from "../problem.ts";
import { fullName, isPull, pullsOf, type World } from "../world.ts";
import { formOf, pullOf, repositoryOf, said, talkOf } from "./asked.ts";
import { changeState } from "./change-state.ts";
import { checksPage } from "./checks-page.ts";
import { conversationPage } from "./conversation-page.ts";
import { filesPage } from "./files-page.ts";
import { homePage, repositoryPage } from "./home-page.ts";
import { html } from "./html.ts";
import { installAppRoutes } from "./install-app.ts";
import { issueRoutes } from "./issue-routes.ts";
import { layout } from "./layout.ts";
import { pathOf } from "./paths.ts";
import { registerAppRoutes } from "./register-app.ts";
import { signInRoutes } from "./sign-in.ts";

const STYLE = ["base", "parts", "diff", "narrow"]
  .map((name) => readFileSync(new URL(`style/${name}.css`, import.meta.url), "utf8"))
  .join("\n");
const PULL = "/:owner/:repo/pull/:number{[0-9]+}";

export function pageRoutes(world: World): Hono {
  const pages = new Hono();
  const people = talking(world);
  // what comes from an App's own page or server: before the rule for forms of other sites
  pages.route("/", signInRoutes(world));
  pages.route("/", registerAppRoutes(world));
  pages.route("/", installAppRoutes(world));
  // a page of another site must not press these buttons
  pages.use(csrf());
  pages.get("/", (call) => call.html(homePage(world)));
  pages.get("/-/style.css", (call) => call.body(STYLE, 200, { "content-type": "text/css; charset=utf-8" }));
  pages.get("/:owner/:repo", (call) => call.redirect(`/${fullName(repositoryOf(world, call))}/pulls`));
  pages.get("/:owner/:repo/pulls", (call) => call.html(repositoryPage(repositoryOf(world, call))));
  pages.get("/:owner/:repo/issues", (call) => call.html(repositoryPage(repositoryOf(world, call))));
  pages.route("/", issueRoutes(world));
  pages.get(PULL, async (call) => {
    const asked = talkOf(world, call);
    return isPull(asked) ? call.html(await conversationPage(world, asked)) : call.redirect(pathOf(asked));
  });
  pages.get(`${PULL}/files`, async (call) => call.html(await filesPage(world, pullOf(world, call))));
  pages.get(`${PULL}/checks`, async (call) =>
    call.html(await checksPage(world, pullOf(world, call), Number(call.req.query("run")))),
  );

  // where the API sends who asks for a log
  pages.get("/-/downloads/:secret", (call) => {
    const found = world.downloads.get(call.req.param("secret"));
    if (!found || found.until < Date.now()) throw notFound("There is no such download, or it has expired.");
    return call.body(found.text, 200, { "content-type": "text/plain; charset=utf-8" });
  });

  // where a check-run's own address leads
  pages.get("/:owner/:repo/runs/:run{[0-9]+}", (call) => {
    const repository = repositoryOf(world, call);
    const run = world.checkRuns.get(Number(call.req.param("run")));
    const shown = run && pullsOf(repository).find(({ pull }) => pull.heads.includes(run.suite.headSha));
    if (!shown) throw notFound("There is no such check on a pull request here.");
    return call.redirect(`${pathOf(shown)}/checks?run=${run.id}`);
  });

  pages.post(`${PULL}/comments`, async (call) => {
    const request = pullOf(world, call);
    const { by, body } = await formOf(call, world, request);
    const { id } = people.comment(fullName(request.repository), request.number, { by, body: said(body) });
    return call.redirect(`${pathOf(request)}#comment-${id}`, 303);
  });
  pages.post(`${PULL}/state`, async (call) => {
    const request = pullOf(world, call);
    const { account, chosen } = await formOf(call, world, request);
    await changeState(world, request, chosen, account);
    return call.redirect(pathOf(request), 303);
  });
  pages.post(`${PULL}/threads/:thread`, async (call) => {
    const request = pullOf(world, call);
    const { by, body, chosen, comment } = await formOf(call, world, request);
    const { number } = request;
    if (chosen === "reply")
      people.replyToReviewComment(fullName(request.repository), number, comment, { by, body: said(body) });
    else if (chosen === "resolve") people.resolveThread(comment, by);
    else people.unresolveThread(comment, by);
    return call.redirect(`${pathOf(request)}#thread-${call.req.param("thread")}`, 303);
  });
  pages.post(`${PULL}/checks/:run`, async (call) => {
    const request = pullOf(world, call);
    const { account, by, chosen } = await formOf(call, world, request);
    const run = Number(call.req.param("run"));
    const name = fullName(request.repository);
    if (!hasRole(request.repository, account, "write"))
      throw new Problem(403, "Buttons of checks are there for those who may write.");
    if (chosen === "rerun") people.rerequestCheckRun(name, run, by);
    else people.pressCheckRunButton(name, run, chosen.replace(/^action:/, ""), by);
    return call.redirect(`${pathOf(request)}/checks`, 303);
  });

  pages.onError((error, call) => {
    const status = error instanceof Problem || error instanceof HTTPException ? error.status : 400;
    const body = html`<h1>${status}</h1><p>${error.message}</p>`;
    return call.html(layout({ title: "Not done", path: [], body }), status as 400);
  });
  return pages;
}
