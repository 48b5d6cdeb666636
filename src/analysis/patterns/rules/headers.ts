import type { Setting, Sink } from "../row.ts";

const UNSAFE_POLICY = /unsafe-eval|script-src[^;]*unsafe-inline|script-src[^;]*\s\*|default-src \*/;
const ALLOWING: Setting["words"] = {
  what: "This policy allows what it is there to forbid.",
  attack: "An injected script runs.",
  mend: "Name only what is needed, with nonces or hashes.",
};

/** Headers of answers that tell browsers what to forbid. */
export const HEADER_SINKS: readonly Sink[] = [
  {
    id: "web/frame-options",
    title: "Clickjacking: frame policy from input",
    cwe: 451,
    danger: "header",
    severity: "warning",
    from: "source",
    calls: "@response..setHeader|header|set|append|writeHead *.setHeader",
    argument: "all",
    when: {
      any: [
        { argument: 0, is: [/^(?:x-frame-options|content-security-policy)$/i] },
        { argument: 1, option: "X-Frame-Options", present: true },
      ],
    },
    wrong: `app.get("/", (req, res) => { res.set("X-Frame-Options", req.query.frame); });`,
    right: `app.get("/", (req, res) => { res.set("X-Frame-Options", "DENY"); });`,
    words: {
      what: "decides who may embed this page",
      attack: "A foreign page embeds it and lets people click what they do not see.",
      mend: "Set a constant.",
    },
  },
];

export const HEADER_SETTINGS: readonly Setting[] = [
  {
    id: "web/frame-anybody",
    title: "Clickjacking: ineffective frame policy",
    cwe: 1021,
    severity: "warning",
    calls: "@response..setHeader|header|set|append *.setHeader|header|set @nestjs/common:Header",
    on: /^(?:@?res|@?response|reply|ctx|@context|@nestjs\/common|headers|c)$/,
    when: {
      all: [
        { argument: 0, is: [/^x-frame-options$/i] },
        { argument: 1, is: [/^allow/i] },
      ],
    },
    wrong: `app.get("/", (req, res) => { res.setHeader("X-Frame-Options", "ALLOWALL"); });`,
    right: `app.get("/", (req, res) => { res.setHeader("X-Frame-Options", "SAMEORIGIN"); });`,
    words: {
      what: "Browsers do not know this value: every page may embed this one.",
      attack: "A foreign page embeds it and lets people click what they do not see.",
      mend: "Say `DENY` or `SAMEORIGIN`, or `frame-ancestors` in the Content-Security-Policy.",
    },
  },
  {
    id: "helmet/removed",
    title: "Security header removed",
    cwe: 693,
    severity: "info",
    calls: "@response..removeHeader *.removeHeader",
    when: {
      argument: 0,
      is: [/^(?:x-frame-options|content-security-policy|strict-transport-security|x-content-type-options)$/i],
    },
    wrong: `app.get("/", (req, res) => { res.removeHeader("X-Frame-Options"); });`,
    right: `app.get("/", (req, res) => { res.removeHeader("X-Powered-By"); });`,
    words: {
      what: "A header that protects the page is taken away.",
      attack: "What it prevents is possible again: a foreign frame, a foreign script, plain HTTP.",
      mend: "Leave it, or set it to what this page needs.",
    },
  },
  {
    id: "helmet/short-hsts",
    title: "HSTS duration too short",
    cwe: 523,
    severity: "warning",
    calls: "helmet:hsts|strictTransportSecurity helmet.hsts|strictTransportSecurity hsts:",
    when: { argument: 0, option: "maxAge", below: 86_400 },
    wrong: `app.use(require("helmet").hsts({ maxAge: 0 }));`,
    right: `app.use(require("helmet").hsts({ maxAge: 31_536_000 }));`,
    fix: { value: "31_536_000" },
    words: {
      what: "Browsers forget at once that this site wants HTTPS.",
      attack: "An attacker on the network can answer the next request over plain HTTP instead.",
      mend: "Set `maxAge` to a year.",
    },
  },
  {
    id: "header/script-filter-off",
    title: "Security header weakened (X-XSS-Protection)",
    cwe: 693,
    severity: "info",
    calls: "@response..setHeader|header|set *.setHeader|header|set @nestjs/common:Header",
    on: /^(?:@?res|@?response|reply|ctx|@context|@nestjs\/common|headers)$/,
    when: {
      all: [
        { argument: 0, is: [/^x-xss-protection$/i] },
        { argument: 1, is: ["0", 0] },
      ],
    },
    wrong: `app.get("/", (req, res) => { res.setHeader("X-XSS-Protection", "0"); });`,
    right: `app.get("/", (req, res) => { res.setHeader("Content-Security-Policy", "default-src 'self'"); });`,
    words: {
      what: "The browser's filter is switched off and nothing put in its place.",
      attack: "An injected script meets no second wall.",
      mend: "Send a `Content-Security-Policy`.",
    },
  },
  {
    id: "csp/unsafe",
    title: "Unsafe Content-Security-Policy",
    cwe: 693,
    severity: "warning",
    properties:
      "scriptSrc script-src defaultSrc default-src scriptSrcElem objectSrc object-src workerSrc worker-src frameAncestors",
    when: { argument: 0, is: [/unsafe-inline|unsafe-eval|^\*$|^data:$|^https?:$/] },
    wrong: `app.use(helmet({ contentSecurityPolicy: { directives: { scriptSrc: ["'self'", "'unsafe-inline'"] } } }));`,
    right: `app.use(helmet({ contentSecurityPolicy: { directives: { scriptSrc: ["'self'"] } } }));`,
    words: {
      what: "The policy lets every inline script, or every site's, run.",
      attack: "It does not stop an injected script, which is what it is for.",
      mend: "Use nonces or hashes.",
    },
  },
  {
    id: "csp/unsafe",
    title: "Unsafe Content-Security-Policy",
    cwe: 693,
    severity: "warning",
    properties: "value content",
    when: {
      all: [
        {
          any: ["key", "name", "httpEquiv", "http-equiv"].map((option) => ({
            ...{ argument: 1, option, is: [/^content-security-policy$/i] },
          })),
        },
        { argument: 0, is: [UNSAFE_POLICY] },
      ],
    },
    wrong: `module.exports = { headers: () => [{ headers: [{ key: "Content-Security-Policy", value: "script-src 'self' 'unsafe-eval'" }] }] };`,
    right: `module.exports = { headers: () => [{ headers: [{ key: "Content-Security-Policy", value: "script-src 'self'" }] }] };`,
    words: ALLOWING,
  },
  {
    id: "csp/unsafe",
    title: "Unsafe Content-Security-Policy",
    cwe: 693,
    severity: "warning",
    elements: "meta",
    when: {
      all: [
        { option: "httpEquiv", is: [/^content-security-policy$/i] },
        { option: "content", is: [UNSAFE_POLICY] },
      ],
    },
    wrong: `export const Head = () => <meta httpEquiv="Content-Security-Policy" content="script-src 'unsafe-inline'" />;`,
    right: `export const Head = () => <meta httpEquiv="Content-Security-Policy" content="script-src 'self'" />;`,
    words: ALLOWING,
  },
  {
    id: "helmet/off",
    title: "Helmet protection disabled",
    fix: { without: true },
    cwe: 693,
    severity: "warning",
    calls: "helmet: helmet @fastify/helmet: koa-helmet: *.register",
    when: {
      any: [
        "contentSecurityPolicy",
        "frameguard",
        "hsts",
        "noSniff",
        "xssFilter",
        "strictTransportSecurity",
        "xFrameOptions",
        "xContentTypeOptions",
      ].map((option) => ({ argument: 0, option, is: [false] })),
    },
    wrong: `app.use(helmet({ contentSecurityPolicy: false }));`,
    right: `app.use(helmet({ contentSecurityPolicy: { directives: { defaultSrc: ["'self'"] } } }));`,
    words: {
      what: "A protection of helmet is switched off.",
      attack: "An injected script, or a page around this one, meets no second wall.",
      mend: "Set it up instead of switching it off.",
    },
  },
  {
    id: "csp/unsafe",
    title: "Unsafe Content-Security-Policy",
    cwe: 693,
    severity: "warning",
    calls: "@response..setHeader|header|set *.setHeader|header|set",
    on: /^(?:@?res|@?response|reply|ctx|headers|c)$/,
    when: {
      all: [
        { argument: 0, is: [/^content-security-policy$/i] },
        { argument: 1, is: [UNSAFE_POLICY] },
      ],
    },
    wrong: `app.get("/", (req, res) => { res.setHeader("Content-Security-Policy", "script-src 'self' 'unsafe-eval'"); });`,
    right: `app.get("/", (req, res) => { res.setHeader("Content-Security-Policy", "script-src 'self'"); });`,
    words: ALLOWING,
  },
];
