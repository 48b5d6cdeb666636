import type { Setting } from "../row.ts";

/** What a server tells, logs, takes in and lets be tried. */
export const SERVER_SETTINGS: readonly Setting[] = [
  {
    id: "login/no-limit",
    title: "Missing rate limit on login",
    cwe: 307,
    severity: "warning",
    calls: "*.post",
    on: /^(?:app|router|server|api|routes?|\w*[rR]outer)$/,
    when: {
      all: [
        { argument: 0, is: [/\/(?:log-?in|sign-?in|auth(?:enticate)?|session|token|password|reset|otp|verify)/i] },
        { argument: 1, present: true },
        {
          file: /\.(?:get|post|put|patch|delete)\(\s*["'`][^"'`\n]*["'`],[^\n]*(?:[lL]imit|[sS]low[dD]own|[tT]hrottle)/,
        },
      ],
    },
    unless: {
      any: [
        { text: /limit|slowdown|throttle|brute/i },
        { file: /\.use\([^\n]*(?:[lL]imit|[sS]low[dD]own|[tT]hrottle)/ },
      ],
    },
    confidence: 0.6,
    wrong: `app.post("/sign-up", limiter, signUp);
app.post("/login", logIn);`,
    right: `app.post("/sign-up", limiter, signUp);
app.post("/login", limiter, logIn);`,
    words: {
      what: "Its neighbours are limited in how often they are asked, this login is not.",
      attack: "A program tries passwords until one fits.",
      mend: "Put the same limit before its handler.",
    },
  },
  {
    id: "error/shown",
    title: "Error details exposed",
    cwe: 209,
    severity: "info",
    calls: "@response..send|json|end|write|status().send|status().json @context..json|text|html|body *.send|json|text",
    on: /^(?:@?res|@?response|reply|c|ctx|status|code|type)$/,
    when: {
      text: /\b(?:err|error|e|ex|exception|cause)\b(?:\s+as\s+\w+\))?(?:\.stack\b)|\berror: (?:err|error|e)\s*[,}]|util\.inspect\(err/,
    },
    wrong: `app.use((err, req, res, next) => { res.status(500).send(err.stack); });`,
    right: `app.use((err, req, res, next) => { log.error(err); res.status(500).send("sorry"); });`,
    words: {
      what: "An error is shown with its insides.",
      attack: "It tells paths, packages and queries.",
      mend: "Write it into the log and show a number by which it is found.",
    },
  },
  {
    id: "error/shown",
    title: "Error details exposed",
    cwe: 209,
    severity: "info",
    writes: "@context.body|response.body",
    when: { text: /\b(?:err|error|e|ex|exception|cause)\.stack\b|\berror: (?:err|error|e)\s*[,}]|util\.inspect\(err/ },
    wrong: `const Koa = require("koa");
const app = new Koa();
app.use(async (ctx, next) => { try { await next(); } catch (err) { ctx.body = { text: err.stack }; } });`,
    right: `const Koa = require("koa");
const app = new Koa();
app.use(async (ctx, next) => { try { await next(); } catch (err) { log.error(err); ctx.body = { text: "sorry" }; } });`,
    words: {
      what: "An error is shown with its insides.",
      attack: "It tells paths, packages and queries.",
      mend: "Write it into the log and show a number by which it is found.",
    },
  },
  {
    id: "log/secret",
    title: "Secret in logs",
    cwe: 532,
    severity: "info",
    calls: "console.log|info|warn|error|debug|trace *.log|info|warn|error|debug|trace",
    on: /^(?:console|log|logger|winston|pino|bunyan|plain|\w*Logger|\w*log)$/i,
    when: {
      text: /(?:[({,+\s.[]|\$\{)(?:\w+\.)*\w*(?:[pP]assword|[pP]asswd|[sS]ecretKey|[sS]ecret|(?:access|refresh|auth|reset|session)Token|[aA]piKey|authorization|[cC]vv|cardNumber|[pP]rivateKey)(?:\s*[,)}+]|\s*$)/,
    },
    // Whether there is a number, or its last digits, which receipts show.
    unless: { text: /\bBoolean\(|!!\w|\.slice\(-4\)/ },
    wrong: `console.log("signed in with", password);`,
    right: `console.log("signed in", user.id);`,
    words: {
      what: "A secret is written into the log.",
      attack: "Anyone who reads the logs, or a backup of them, has it.",
      mend: "Leave it out.",
    },
  },
  {
    id: "upload/limit-off",
    title: "Upload limit disabled",
    cwe: 770,
    severity: "info",
    properties: "fileSize limit maxFileSize bodyLimit maxBody parameterLimit",
    when: {
      any: [
        { argument: 0, reads: /^Infinity$|^Number\.(?:POSITIVE_INFINITY|MAX_\w+)$/ },
        { argument: 0, is: [/^(?:\d{3,}\s*mb|\d+\s*gb)$/i] },
      ],
    },
    wrong: `app.use(express.json({ limit: "1gb" }));`,
    right: `app.use(express.json({ limit: "100kb" }));`,
    words: {
      what: "This limit is too high to protect anything.",
      attack: "A few requests fill the memory or the disk.",
      mend: "Set it to what is needed.",
    },
  },
  {
    id: "server/trust-proxy",
    title: "Untrusted X-Forwarded-For",
    fix: { value: "1" },
    cwe: 348,
    severity: "info",
    calls: "*.set",
    when: {
      all: [
        { argument: 0, is: ["trust proxy"] },
        { argument: 1, is: [true] },
      ],
    },
    wrong: `app.set("trust proxy", true);`,
    right: `app.set("trust proxy", "loopback");`,
    words: {
      what: "The client itself says where it comes from.",
      attack: "`X-Forwarded-For` gets round limits and lists of addresses.",
      mend: "Name the proxies, or how many there are.",
    },
  },
  {
    id: "graphql/open",
    title: "GraphQL introspection exposed",
    fix: { replace: [/^true$/, "false"] },
    cwe: 200,
    severity: "warning",
    calls:
      "*:ApolloServer apollo-server|apollo-server-express|@apollo/server|apollo-server-koa|apollo-server-lambda|apollo-server-fastify:ApolloServer ApolloServer graphql-yoga:createYoga express-graphql:graphqlHTTP graphqlHTTP mercurius: @nestjs/graphql:GraphQLModule.forRoot",
    when: {
      any: [
        { argument: 0, option: "introspection", is: [true] },
        { argument: 0, option: "playground", is: [true] },
        { argument: 0, option: "graphiql", is: [true] },
        { argument: 0, option: "debug", is: [true] },
        { argument: 0, option: "cors.origin", is: ["*", true] },
        { argument: 0, option: "includeStacktraceInErrorResponses", is: [true] },
      ],
    },
    wrong: `const server = new ApolloServer({ typeDefs, introspection: true });`,
    right: `const server = new ApolloServer({ typeDefs, introspection: false, csrfPrevention: true });`,
    words: {
      what: "Anyone can ask for the whole schema, or use its tools.",
      attack: "It is a map of what can be attacked.",
      mend: "Switch it off outside of development.",
    },
  },
  {
    id: "upload/no-limit",
    title: "Upload without a size limit",
    cwe: 400,
    severity: "info",
    calls: "multer: express-fileupload:",
    when: { any: [{ argument: 0, option: "limits", missing: true }] },
    wrong: `const upload = require("multer")({ dest: "uploads/" });`,
    right: `const upload = require("multer")({ dest: "uploads/", limits: { fileSize: 1000000 } });`,
    words: {
      what: "Uploads have no limit.",
      attack: "A few of them fill the disk.",
      mend: "Set `limits: { fileSize: … }`.",
    },
  },
  {
    id: "server/error-page",
    title: "Stack traces exposed",
    cwe: 489,
    severity: "info",
    calls: "errorhandler: express:errorHandler",
    unless: { file: /NODE_ENV|get\(["']env["']\)/ },
    wrong: `app.use(require("errorhandler")());`,
    right: `if (process.env.NODE_ENV === "development") app.use(require("errorhandler")());`,
    words: {
      what: "Errors are shown with their stack.",
      attack: "It tells paths, packages and queries.",
      mend: 'Use it only where `NODE_ENV` is "development".',
    },
  },
  {
    id: "intercom/no-hash",
    title: "Missing identity verification",
    cwe: 287,
    severity: "info",
    writes: "*.intercomSettings intercomSettings",
    when: {
      all: [
        { argument: 0, option: "user_hash", missing: true },
        {
          any: [
            { argument: 0, option: "email", present: true },
            { argument: 0, option: "user_id", present: true },
          ],
        },
      ],
    },
    wrong: `window.intercomSettings = { app_id: "a", email: user.email };`,
    right: `window.intercomSettings = { app_id: "a", email: user.email, user_hash: user.hash };`,
    words: {
      what: "Who writes is not proven.",
      attack: "An attacker can name another user's address and read their conversations.",
      mend: "Add `user_hash`, made on the server.",
    },
  },
];
