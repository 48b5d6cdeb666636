import type { Setting, Sink } from "../row.ts";

/** Of whatever names every site as one that may read. */
const OPEN_ANSWERS: Setting["words"] = {
  what: "Every site may read the answers of this server.",
  attack: "If an answer depends on the network or on who asks, other sites learn it.",
  mend: "Name the origins that may.",
};

/** What other sites may do: read answers (CORS), and send requests in the name of the signed-in user (CSRF). */
export const CROSS_SITE_SINKS: readonly Sink[] = [
  {
    id: "web/cors-origin",
    title: "CORS origin from input",
    cwe: 942,
    danger: "header",
    severity: "error",
    from: "source",
    calls: "@response..setHeader|header|set|append *.setHeader",
    argument: 1,
    when: { argument: 0, is: [/^access-control-allow-origin$/i] },
    wrong: `app.get("/", (req, res) => { res.setHeader("Access-Control-Allow-Origin", req.headers.origin); });`,
    right: `app.get("/", (req, res) => { res.setHeader("Access-Control-Allow-Origin", "https://example.com"); });`,
    words: {
      what: "is named as the site that may read the answer",
      attack: "Every site names itself and reads what the signed-in person may read.",
      mend: "Compare it with a list of origins in the code.",
    },
  },
];

export const CROSS_SITE_SETTINGS: readonly Setting[] = [
  {
    id: "csrf/ignored-methods",
    title: "CSRF protection incomplete",
    cwe: 352,
    severity: "warning",
    calls: "csurf: csrf-csrf:doubleCsrf csurf csrf lusca:csrf @fastify/csrf-protection:",
    when: { argument: 0, option: "ignoreMethods", is: ["POST", "PUT", "PATCH", "DELETE"] },
    wrong: `app.use(require("csurf")({ cookie: true, ignoreMethods: ["GET", "POST"] }));`,
    right: `app.use(require("csurf")({ cookie: true, ignoreMethods: ["GET", "HEAD", "OPTIONS"] }));`,
    words: {
      what: "Requests that change something are not checked.",
      attack: "A page elsewhere sends such a request in the name of the signed-in user.",
      mend: "Leave out only `GET`, `HEAD` and `OPTIONS`.",
    },
  },
  {
    id: "csrf/token-in-address",
    title: "CSRF token in the URL",
    cwe: 352,
    severity: "warning",
    calls: "csurf: csurf csrf",
    when: { argument: 0, option: "value", reads: /\.query\b/ },
    wrong: `app.use(require("csurf")({ value: (req) => req.query.token }));`,
    right: `app.use(require("csurf")({ value: (req) => req.headers["csrf-token"] }));`,
    words: {
      what: "The token against forged requests is in the URL.",
      attack: "Addresses are kept in logs, histories and referrers: a reader of one can forge requests.",
      mend: "Take it from a header or the body.",
    },
  },
  {
    id: "csrf/left-out",
    title: "Missing CSRF protection on one route",
    cwe: 352,
    severity: "info",
    calls: "*.post|put|patch|delete",
    on: /^(?:app|router|server|api|routes?|\w*[rR]outer)$/,
    when: {
      all: [
        { argument: 0, is: [/^\//] },
        { argument: 1, present: true },
        { file: /\.(?:post|put|patch|delete)\(\s*["'`][^"'`\n]*["'`],[^\n]*\bcsrf/i },
      ],
    },
    unless: { any: [{ text: /csrf|csurf|verifyToken|bearer/i }, { file: /\.use\([^\n]*csrf/i }] },
    confidence: 0.5,
    wrong: `app.post("/name", csrfProtection, saveName);
app.post("/mail", saveMail);`,
    right: `app.post("/name", csrfProtection, saveName);
app.post("/mail", csrfProtection, saveMail);`,
    words: {
      what: "Its neighbours are protected against forged requests, this route is not.",
      attack: "A page elsewhere sends this request in the name of the signed-in user.",
      mend: "Put the same middleware before its handler.",
    },
  },
  {
    id: "cors/everybody",
    title: "CORS: any origin with credentials",
    cwe: 942,
    severity: "warning",
    calls: "cors: @fastify/cors: koa-cors: @koa/cors: hono/cors:cors *.enableCors *.register",
    when: {
      any: [
        {
          all: [
            {
              any: [
                { argument: 0, option: "origin", is: ["*", true] },
                { argument: 1, option: "origin", is: ["*", true] },
              ],
            },
            {
              any: [
                { argument: 0, option: "credentials", is: [true] },
                { argument: 1, option: "credentials", is: [true] },
              ],
            },
          ],
        },
        { argument: 0, option: "origin", is: [true] },
        { argument: 1, option: "origin", is: [true] },
      ],
    },
    wrong: `app.use(require("cors")({ origin: true, credentials: true }));`,
    right: `app.use(require("cors")({ origin: "https://example.com", credentials: true }));`,
    words: {
      what: "Every site may read the answers, in the name of the signed-in user.",
      attack: "A foreign page reads their data.",
      mend: "Name the origins that may.",
    },
  },
  {
    id: "cors/any",
    title: "CORS: any origin allowed",
    cwe: 942,
    severity: "info",
    calls: "cors: @fastify/cors: @koa/cors: hono/cors:cors *.enableCors",
    when: {
      any: [
        { argument: 0, option: "origin", is: ["*"] },
        { argument: 0, option: "origin", is: [/^\*$/, ".*"] },
        { argument: 0, missing: true },
        { argument: 0, option: "origin", reads: /^\/\.\*|^\/[^$]*\.\*|^\/(?!\^)/ },
      ],
    },
    unless: { argument: 0, option: "credentials", is: [false] },
    wrong: `app.use(require("cors")({ origin: "*" }));`,
    right: `app.use(require("cors")({ origin: "https://example.com" }));`,
    words: OPEN_ANSWERS,
  },
  {
    id: "cors/any-header",
    title: "CORS: any origin allowed",
    cwe: 942,
    severity: "info",
    calls: "@response..setHeader|header|set|append|appendHeader *.setHeader|header|set @nestjs/common:Header",
    on: /^(?:@?res|@?response|reply|ctx|@context|@nestjs\/common|headers|c)$/,
    when: {
      all: [
        { argument: 0, is: [/^access-control-allow-origin$/i] },
        { argument: 1, is: ["*", "null"] },
      ],
    },
    wrong: `app.get("/", (req, res) => { res.setHeader("Access-Control-Allow-Origin", "*"); });`,
    right: `app.get("/", (req, res) => { res.setHeader("Access-Control-Allow-Origin", "https://example.com"); });`,
    words: OPEN_ANSWERS,
  },
  {
    id: "cors/any-header",
    title: "CORS: any origin allowed",
    cwe: 942,
    severity: "info",
    properties: "Access-Control-Allow-Origin access-control-allow-origin",
    when: { argument: 0, is: ["*", "null"] },
    wrong: `const headers = { "Access-Control-Allow-Origin": "*" };`,
    right: `const headers = { "Access-Control-Allow-Origin": "https://example.com" };`,
    words: OPEN_ANSWERS,
  },
  {
    id: "cors/mirror",
    title: "CORS: origin reflected",
    unlessSaid: "cors/everybody",
    cwe: 942,
    severity: "warning",
    properties: "origin",
    when: {
      any: [
        {
          argument: 0,
          reads:
            /^\(?(\w+)[^)]*\)?\s*=>\s*\1$|=>\s*\w+\(null,\s*true\)$|=>\s*true$|\.get\(["']Origin["']\)$|headers\.origin$/i,
        },
        {
          all: [
            { argument: 0, is: [true, "*"] },
            { argument: 1, option: "credentials", is: [true] },
          ],
        },
      ],
    },
    wrong: `app.use(cors({ origin: (origin, done) => done(null, true) }));`,
    right: `app.use(cors({ origin: (origin, done) => done(null, ALLOWED.has(origin)) }));`,
    words: {
      what: "Whatever site asks may read the answers.",
      attack: "A foreign page reads the data of the signed-in user.",
      mend: "Compare the origin with a list.",
    },
  },
  {
    id: "csrf/off",
    title: "CSRF protection disabled",
    fix: { replace: [/^false$/, "true"] },
    cwe: 352,
    severity: "warning",
    properties: "csrf csrfProtection csrfPrevention xsrfCookieName",
    when: { any: [{ argument: 0, is: [false] }] },
    wrong: `const server = new ApolloServer({ csrfPrevention: false });`,
    right: `const server = new ApolloServer({ csrfPrevention: true });`,
    words: {
      what: "Protection against forged requests is switched off.",
      attack: "Other sites act in the name of a signed-in person.",
      mend: "Leave it on.",
    },
  },
  {
    id: "csrf/method-override",
    title: "CSRF bypass by method override",
    cwe: 352,
    severity: "info",
    calls: "*.use",
    when: {
      all: [
        { argument: 0, reads: /^(?:express\.)?(?:csrf|csurf|lusca)\(/ },
        { file: /(?:csrf|csurf)\([^\n]*\n(?:.*\n){0,20}?.*methodOverride\(/ },
      ],
    },
    wrong: `app.use(express.csrf());
app.use(express.methodOverride());`,
    right: `app.use(express.methodOverride());
app.use(express.csrf());`,
    words: {
      what: "The method is changed after the check for forged requests.",
      attack: "A GET that becomes a POST afterwards was never checked.",
      mend: "Put `methodOverride` before it.",
    },
  },
  {
    id: "graphql/forged",
    title: "CSRF prevention disabled in GraphQL",
    fix: { value: "true" },
    cwe: 352,
    severity: "info",
    calls:
      "apollo-server|apollo-server-express|apollo-server-koa|apollo-server-lambda|apollo-server-fastify|apollo-server-hapi:ApolloServer",
    when: { argument: 0, option: "csrfPrevention", missing: true },
    wrong: `const { ApolloServer } = require("apollo-server-express");
const server = new ApolloServer({ typeDefs });`,
    right: `const { ApolloServer } = require("apollo-server-express");
const server = new ApolloServer({ typeDefs, csrfPrevention: true });`,
    words: {
      what: "Requests that another site forges are not refused.",
      attack: "It changes data in the name of a signed-in person.",
      mend: "Set `csrfPrevention: true`.",
    },
  },
];
