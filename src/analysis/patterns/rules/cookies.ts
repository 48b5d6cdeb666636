import type { Setting } from "../row.ts";

const SESSIONS =
  "express-session: cookie-session: express-session:() session cookieSession koa-session: client-sessions: iron-session: @fastify/session: @fastify/secure-session: express:session";

/** Of whatever lets the cookie of a session out over plain HTTP. */
const PLAIN_SESSION: Setting["words"] = {
  what: "The cookie of the session is also sent over plain HTTP.",
  attack: "An attacker on the network can take over the session.",
  mend: "Set `secure: true`.",
};

/** Of whatever leaves a cookie to scripts. */
const READABLE: Setting["words"] = {
  what: "Scripts of the page read this cookie.",
  attack: "One injected script is enough to take over sessions.",
  mend: "Set `httpOnly: true`.",
};

/** Cookies that others read, or that go where they must not. */
export const COOKIE_SETTINGS: readonly Setting[] = [
  {
    id: "cookie/header",
    title: "Cookie without Secure",
    cwe: 614,
    severity: "warning",
    calls: "@response..setHeader|header|set|append|appendHeader *.setHeader",
    when: {
      all: [
        { argument: 0, is: [/^set-cookie$/i] },
        { argument: 1, reads: /["'`]/ },
      ],
    },
    unless: {
      any: [
        { argument: 1, reads: /;\s*secure\b|serialize\(/i },
        { argument: 1, reads: /max-age=0|expires=thu, 01 jan 1970/i },
      ],
    },
    wrong: `app.get("/", (req, res) => { res.setHeader("Set-Cookie", "id=" + id + "; Path=/; HttpOnly"); });`,
    right: `app.get("/", (req, res) => { res.setHeader("Set-Cookie", "id=" + id + "; Path=/; HttpOnly; Secure"); });`,
    words: {
      what: "This cookie is also sent over plain HTTP.",
      attack: "An attacker on the network can read it.",
      mend: "Add `; Secure; HttpOnly; SameSite=Lax`.",
    },
  },
  {
    id: "cookie/page",
    title: "Cookie without HttpOnly",
    cwe: 1004,
    severity: "info",
    writes: "document.cookie *.document.cookie",
    when: { argument: 0, reads: /(?:sess|sid|token|auth|jwt|user|login)\w*["'`]?\s*(?:=|\+)/i },
    unless: { argument: 0, reads: /max-age=0|expires=thu, 01 jan 1970/i },
    confidence: 0.6,
    wrong: `document.cookie = "session=" + id;`,
    right: `document.cookie = "theme=dark; Secure; SameSite=Lax";`,
    words: {
      what: "Scripts of the page write this cookie, so they can read it as well.",
      attack: "One injected script is enough to take over sessions.",
      mend: "Let the server set it, with `HttpOnly` and `Secure`.",
    },
  },
  {
    id: "cookie/insecure",
    title: "Cookie without Secure",
    fix: { value: "true" },
    cwe: 614,
    severity: "warning",
    calls: "*.register",
    on: /^(?:fastify|app|server|instance|api)$/,
    when: {
      all: [
        { argument: 0, reads: /session|cookie/i },
        {
          any: [
            { argument: 1, option: "cookie.secure", is: [false] },
            { argument: 1, option: "parseOptions.secure", is: [false] },
          ],
        },
      ],
    },
    wrong: `fastify.register(require("@fastify/session"), { secret: key, cookie: { secure: false } });`,
    right: `fastify.register(require("@fastify/session"), { secret: key, cookie: { secure: true } });`,
    words: PLAIN_SESSION,
  },
  {
    id: "cookie/insecure",
    title: "Cookie without Secure",
    fix: { value: "true" },
    cwe: 614,
    severity: "warning",
    calls: SESSIONS,
    when: {
      any: [
        { argument: 0, option: "cookie.secure", is: [false] },
        { argument: 0, option: "secure", is: [false] },
        {
          all: [
            { argument: 0, option: "cookie.secure", missing: true },
            { not: { argument: 0, option: "secure", present: true } },
          ],
        },
        { argument: 0, option: "cookieOptions.secure", is: [false] },
      ],
    },
    unless: { argument: 0, missing: true },
    wrong: `app.use(require("express-session")({ secret: key, cookie: { httpOnly: true } }));`,
    right: `app.use(require("express-session")({ secret: key, cookie: { httpOnly: true, secure: true } }));`,
    words: PLAIN_SESSION,
  },
  {
    id: "cookie/insecure",
    title: "Cookie without Secure",
    fix: { value: "true" },
    cwe: 614,
    severity: "warning",
    calls:
      "@response..cookie @context..cookies.set *.cookie|setCookie cookies:..set cookie:serialize js-cookie:set next/headers:cookies().set hono/cookie:setCookie universal-cookie:..set nookies:setCookie Cookies.set",
    on: /^(?:res|response|reply|ctx|context|cookies|c|cookie|js-cookie|Cookies|hono\/cookie|nookies|@response|@context|this|)$/,
    when: {
      any: [
        { argument: 2, option: "secure", is: [false] },
        { argument: 2, option: "secure", missing: true },
        { argument: 3, option: "secure", is: [false] },
      ],
    },
    unless: { argument: 1, missing: true },
    wrong: `app.get("/", (req, res) => { res.cookie("id", id, { httpOnly: true }); });`,
    right: `app.get("/", (req, res) => { res.cookie("id", id, { httpOnly: true, secure: true }); });`,
    words: {
      what: "This cookie is also sent over plain HTTP.",
      attack: "An attacker on the network can read it.",
      mend: "Set `secure: true`.",
    },
  },
  {
    id: "cookie/readable",
    title: "Cookie without HttpOnly",
    fix: { value: "true" },
    cwe: 1004,
    severity: "warning",
    calls: SESSIONS,
    when: {
      any: [
        { argument: 0, option: "cookie.httpOnly", is: [false] },
        { argument: 0, option: "httpOnly", is: [false] },
        { argument: 0, option: "cookieOptions.httpOnly", is: [false] },
      ],
    },
    wrong: `app.use(require("express-session")({ secret: key, cookie: { httpOnly: false, secure: true } }));`,
    right: `app.use(require("express-session")({ secret: key, cookie: { httpOnly: true, secure: true } }));`,
    words: READABLE,
  },
  {
    id: "cookie/readable",
    title: "Cookie without HttpOnly",
    fix: { value: "true" },
    cwe: 1004,
    severity: "warning",
    calls:
      "@response..cookie @context..cookies.set *.cookie|setCookie cookies:..set cookie:serialize next/headers:cookies().set hono/cookie:setCookie",
    on: /^(?:res|response|reply|ctx|context|cookies|c|cookie|hono\/cookie|@response|@context|this)$/,
    when: {
      any: [
        { argument: 2, option: "httpOnly", is: [false] },
        {
          all: [
            { argument: 2, option: "httpOnly", missing: true },
            { text: /\.(?:cookie|setCookie)\(|^(?:serialize|setCookie)\(/ },
          ],
        },
        { argument: 3, option: "httpOnly", is: [false] },
      ],
    },
    unless: { argument: 1, missing: true },
    wrong: `app.get("/", (req, res) => { res.cookie("id", id, { secure: true }); });`,
    right: `app.get("/", (req, res) => { res.cookie("id", id, { secure: true, httpOnly: true }); });`,
    words: READABLE,
  },
  {
    id: "cookie/default-session",
    title: "Default session cookie settings",
    cwe: 522,
    severity: "info",
    calls: "express-session: cookie-session: session cookieSession",
    when: {
      all: [
        { argument: 0, option: "cookie", missing: true },
        { argument: 0, option: "secure", missing: true },
      ],
    },
    unless: {
      any: [
        { argument: 0, missing: true },
        { argument: 0, option: "cookie", missing: true, not: { argument: 0, reads: /^\{/ } },
      ],
    },
    wrong: `app.use(require("express-session")({ secret: key }));`,
    right: `app.use(require("express-session")({ secret: key, name: "id", cookie: { httpOnly: true, secure: true, sameSite: "lax" } }));`,
    words: {
      what: "The cookie of the session has the library's settings.",
      attack: "It is sent over plain HTTP and along with requests of other sites.",
      mend: 'Say `cookie: { secure: true, httpOnly: true, sameSite: "lax" }`.',
    },
  },
  {
    id: "cookie/same-site",
    title: "Cookie without SameSite protection",
    fix: { value: '"lax"' },
    cwe: 1275,
    severity: "info",
    properties: "sameSite",
    when: { argument: 0, is: ["none", "None", false] },
    unless: { argument: 1, option: "secure", is: [true] },
    wrong: `app.get("/", (req, res) => { res.cookie("id", id, { httpOnly: true, secure: isProduction, sameSite: "none" }); });`,
    right: `app.get("/", (req, res) => { res.cookie("id", id, { httpOnly: true, secure: true, sameSite: "lax" }); });`,
    words: {
      what: "This cookie goes along with requests of other sites.",
      attack: "Other sites act in the name of the signed-in user.",
      mend: 'Say `sameSite: "lax"`.',
    },
  },
];
