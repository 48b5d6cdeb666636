import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { errorFacts } from "../domain/errors.ts";
import type { Route } from "../github/intake/http-server.ts";
import { followMetrics } from "../learning/follow-metrics.ts";
import { lastPlace } from "../store/events/tail.ts";
import { answerAction, answerRedelivery, nextPage } from "./action-answers.ts";
import { doneWords } from "./action-words.ts";
import { createAttempts } from "./actions/attempts.ts";
import { carryOut } from "./actions/carry-out.ts";
import { markDone, readDone } from "./actions/done-marker.ts";
import { redeliver } from "./actions/redeliver.ts";
import { PAGES } from "./all-pages.ts";
import { createCookie } from "./cookies.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";
import { live, MOST_OF_PERSON, MOST_READERS } from "./live.ts";
import { createLiveLog, type LiveLog } from "./live-log.ts";
import { createLogPlaces } from "./log-places.ts";
import { answerError, askToSignIn, trouble } from "./page-answers.ts";
import { headersFor, SCRIPT, STYLE } from "./page-files.ts";
import { DELIVERIES_PATH } from "./pages/deliveries-page.ts";
import { layout } from "./pages/layout.ts";
import { isForged, isToken } from "./refuse-forged.ts";
import { createSeal } from "./seal.ts";
import { createSessions } from "./sessions.ts";
import { CALLBACK_PATH, createSignIn } from "./sign-in.ts";
import type { Visitor } from "./visitor.ts";
import { REFUSALS, SIGN_IN, TROUBLE } from "./words.ts";

const FORM_BYTES = 16 * 1024;
/** Characters of a member of a query. */
const QUERY_CHARACTERS = 100;

type Env = { Variables: { visitor: Visitor } };

/** The pages for people (OPS-2), as the last route of the server: what is not theirs is answered by a page, too. */
export function dashboardRoute(dependencies: DashboardDependencies): { readonly route: Route; stop(): void } {
  const log = createLiveLog(dependencies.store);
  const app = openDashboard(dependencies, log);
  const listen = getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false });
  const route: Route = async (request, response) => {
    await listen(request, response);
    return true;
  };
  return { route, stop: log.stop };
}

function openDashboard(dependencies: DashboardDependencies, liveLog: LiveLog): Hono<Env> {
  const { settings, log } = dependencies;
  const seal = createSeal(settings.clientSecret);
  const sessions = createSessions(dependencies, seal);
  const signIn = createSignIn(dependencies, seal, sessions);
  const cookie = createCookie(settings.url, "forge");
  const metrics = followMetrics(dependencies.store);
  const app = new Hono<Env>();

  app.use(async (call, next) => {
    await next();
    for (const [name, value] of Object.entries(headersFor(settings.url))) call.header(name, value);
    if (!call.res.headers.has("cache-control")) call.header("cache-control", "no-store");
  });
  app.use(async (call, next) => (isForged(call.req.raw, settings.url) ? trouble(call, TROUBLE.forged, 403) : next()));
  app.use(bodyLimit({ maxSize: FORM_BYTES, onError: (call) => trouble(call, TROUBLE.tooLarge, 413) }));

  for (const { path, type, text } of [STYLE, SCRIPT]) {
    app.get(path, (call) =>
      call.body(text, 200, {
        "content-type": `${type}; charset=utf-8`,
        "cache-control": "public, max-age=31536000, immutable",
      }),
    );
  }
  app.get("/auth/login", (call) => signIn.begin(call));
  app.get(CALLBACK_PATH, async (call) => {
    const outcome = await signIn.finish(call);
    return typeof outcome === "string" ? askToSignIn(call, REFUSALS[outcome], 400) : outcome;
  });

  // From here on: who is signed in, and for what changes something, by a form of theirs.
  app.use(async (call, next) => {
    const visitor = await sessions.visitor(cookie.read(call));
    if (!visitor) return askToSignIn(call, SIGN_IN.what, 401);
    call.set("visitor", visitor);
    if (call.req.method !== "POST") return next();
    const form = await call.req.parseBody();
    return isToken(form.token, visitor.formToken) ? next() : trouble(call, TROUBLE.forged, 403);
  });
  app.post("/auth/sign-out", async (call) => {
    await sessions.end(cookie.read(call) ?? "");
    cookie.remove(call);
    return call.redirect("/", 303);
  });
  app.get("/live", (call) => {
    const { id: person } = call.get("visitor");
    const isFull = liveLog.readers() >= MOST_READERS || liveLog.readers(person) >= MOST_OF_PERSON;
    if (isFull) return call.text(TROUBLE.tooMany, 503, { "retry-after": "30" });
    // Nobody would read what follows the headers, and nobody would end it.
    if (call.req.method === "HEAD") return call.body(null, 200, { "content-type": "text/event-stream" });
    const id = cookie.read(call);
    const onError = (error: unknown) => log.error({ error: errorFacts(error) }, "a live page ended with an error");
    const places = createLogPlaces(seal, String(person));
    return live(call, { log: liveLog, places, person, visitor: () => sessions.visitor(id), onError });
  });
  for (const { path, show: showPage } of PAGES) {
    app.get(path, async (call) => {
      const visitor = call.get("visitor");
      metrics.prepare(dependencies.now());
      // Read first, so that the page also hears of events that are stored while it is made.
      const place = await lastPlace(dependencies.store);
      const repositoryIds = visitor.isOperator ? undefined : [...(await visitor.repositories()).keys()];
      const page = await showPage({
        ...{ dependencies, visitor, repositoryIds, metrics, seal, now: dependencies.now() },
        param: (name) => call.req.param(name) ?? "",
        query: (name) => (call.req.query(name) ?? "").slice(0, QUERY_CHARACTERS),
      });
      if (!page) return trouble(call, TROUBLE.notFound, 404);
      const { title, body, search, run, isStill } = page;
      const done = readDone(seal, call.req.query("done") ?? "", visitor.formToken, dependencies.now());
      const said = done && doneWords(done);
      const paths = { style: STYLE.path, script: SCRIPT.path };
      const live = isStill ? undefined : { place: createLogPlaces(seal, String(visitor.id)).close(place), run };
      return call.html(layout({ ...paths, title, visitor, said, body, search, live }));
    });
  }
  app.post("/actions", async (call) => {
    const visitor = call.get("visitor");
    const outcome = await carryOut(dependencies, visitor, await call.req.parseBody());
    return answerAction(call, outcome, ({ action, ...done }) => {
      const mark = markDone(seal, action, visitor.formToken, dependencies.now());
      return `${nextPage(done)}?done=${mark}`;
    });
  });
  app.post(DELIVERIES_PATH, async (call) => {
    const visitor = call.get("visitor");
    if (!visitor.isOperator || !(await visitor.operatorNow())) return trouble(call, TROUBLE.notFound, 404);
    const outcome = await redeliver(dependencies, await call.req.parseBody(), createAttempts(seal, visitor));
    return answerRedelivery(call, outcome, (done) => {
      return `${DELIVERIES_PATH}?done=${markDone(seal, done, visitor.formToken, dependencies.now())}`;
    });
  });
  app.notFound((call) => trouble(call, TROUBLE.notFound, 404));
  app.onError((error, call) => answerError(call, error, log));
  return app;
}
