import type { Setting, Sink } from "../row.ts";

const SESSIONS =
  "express-session: cookie-session: express-session:() session cookieSession koa-session: client-sessions: iron-session: @fastify/session: @fastify/secure-session: express:session";

export const WEB_SINKS: readonly Sink[] = [
  {
    id: "web/cors-origin",
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
  {
    id: "web/frame-options",
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
  {
    id: "web/mass-assignment",
    cwe: 915,
    danger: "prototype",
    severity: "warning",
    from: "source",
    calls:
      "*.create|build|insertMany|bulkCreate|update|findByIdAndUpdate|updateOne|findOneAndUpdate|upsert Object.assign lodash:merge|assign|extend|defaultsDeep|mergeWith|set _.merge|_.assign|_.extend|_.defaultsDeep|_.set|_.mergeWith deepmerge: merge: merge-deep: $.extend jQuery.extend extend: deep-extend: node.extend: object-path:set dot-prop:set lodash.merge: lodash.set: set-value: defaults-deep: hoek:merge",
    argument: "all",
    when: {
      any: [
        { argument: 0, reads: /^[\w.]*(?:body|query|params)$/ },
        { argument: 1, reads: /^[\w.]*(?:body|query|params)$|JSON\.parse|\.\.\./ },
        { argument: 2, reads: /^[\w.]*(?:body|query|params)$|JSON\.parse/ },
        {
          text: /^(?:_|lodash|\$|jQuery)?\.?(?:merge|set|extend|defaultsDeep|setValue|mergeDeep|deepmerge|defaultsDeep)\(/,
        },
      ],
    },
    wrong: `app.post("/", (req, res) => { Object.assign(user, req.body); user.save(); });`,
    right: `app.post("/", (req, res) => { user.name = String(req.body.name); user.save(); });`,
    words: {
      what: "is taken over whole",
      attack: "It sets fields that nobody meant to be set (`isAdmin`), or `__proto__` of all objects.",
      mend: "Name the fields that may be set.",
    },
  },
  {
    id: "object/key",
    unlessSaid: "object/deep-key",
    cwe: 1321,
    danger: "prototype",
    severity: "warning",
    writes: "*.[].[] *.[]",
    argument: "key",
    from: "source",
    unless: { text: /^[\w.$]+\[\w*(?:[iI]dx|[iI]ndex|\+\+)\]/ },
    wrong: `app.post("/", (req, res) => { settings[req.body.name] = req.body.value; });`,
    right: `app.post("/", (req, res) => { settings.set(req.body.name, req.body.value); });`,
    words: {
      what: "names the member that is written",
      attack: "`__proto__` or `constructor` changes every object of the program.",
      mend: "Use a `Map`, or refuse these names.",
    },
  },
  {
    id: "object/deep-key",
    cwe: 1321,
    danger: "prototype",
    severity: "warning",
    writes: "*.[].[]",
    argument: "key",
    wrong: `export function set(object, group, name, value) { object[group][name] = value; }`,
    right: `export function set(object, group, name, value) { if (group === "__proto__" || group === "constructor" || group === "prototype") return; object.get(group).set(name, value); }`,
    unless: { file: /["']__proto__["']|hasOwn|Object\.create\(null\)/ },
    words: {
      what: "names the member that is written, two levels deep",
      attack: "`__proto__` changes every object of the program.",
      mend: "Use a `Map`, or refuse `__proto__`, `constructor` and `prototype`.",
    },
  },
  {
    id: "object/method",
    cwe: 749,
    danger: "code",
    severity: "error",
    from: "source",
    calls: "*.[]",
    argument: "key",
    wrong: `app.get("/", (req, res) => { actions[req.query.action](); });`,
    right: `app.get("/", (req, res) => { if (!Object.hasOwn(actions, req.query.action)) return; actions[req.query.action](); });`,
    words: {
      what: "names the function that is called",
      attack: "`constructor` and others are functions too: it calls what nobody meant to be called.",
      mend: "Ask `Object.hasOwn` first, or use a `Map`.",
    },
  },
];

export const WEB_SETTINGS: readonly Setting[] = [
  {
    id: "web/frame-anybody",
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
    id: "object/merge-loop",
    unlessSaid: "object/key object/deep-key",
    cwe: 1321,
    severity: "info",
    writes: "*.[]",
    when: {
      all: [
        { text: /^[\w.]+\[\w+\]\s*=\s*[^\n]*\[\w+\]/ },
        { within: /\bfor\s*\([^)\n]{0,80}\b(?:in|of)\b|\.forEach\(/ },
        {
          any: [
            { within: /^(?:async\s+)?function\s+(\w+)[\s\S]{10,}\b\1\s*\(/ },
            { within: /\b(?:\w*[mM]erge\w*|extend|deep\w+|defaults|mixin|clone\w*)\(/ },
          ],
        },
      ],
    },
    unless: { within: /__proto__|prototype|[hH]asOwn|Object\.create\(null\)|[sS]afeKey|isPlainKey/ },
    confidence: 0.5,
    wrong: `function merge(target, source) {
  for (const key in source) {
    if (typeof source[key] === "object") merge(target[key], source[key]);
    else target[key] = source[key];
  }
}`,
    right: `function merge(target, source) {
  for (const key in source) {
    if (key === "__proto__" || key === "constructor") continue;
    if (typeof source[key] === "object") merge(target[key], source[key]);
    else target[key] = source[key];
  }
}`,
    words: {
      what: "Members of all levels are taken over, whatever they are called.",
      attack: "JSON with `__proto__` in it changes every object of the program.",
      mend: "Leave out `__proto__`, `constructor` and `prototype`, or take over own members into a `Map`.",
    },
  },
  {
    id: "object/path-loop",
    unlessSaid: "object/key object/deep-key",
    cwe: 1321,
    severity: "info",
    writes: "*.[]",
    when: {
      all: [
        {
          text: /^([\w.]+)\[[^\n=]{1,60}\]\s*(?:\|\||\?\?)?=\s*(?:\1\[[^\n]{1,60}\]\s*(?:\|\||\?\?)\s*)?(?:\{\}|\[\])/,
        },
        { within: /\.split\(|\bpath\b/i },
        { within: /\b(?:for|while)\s*\(|\.reduce\(|\.forEach\(/ },
      ],
    },
    unless: { within: /__proto__|prototype|[hH]asOwn|Object\.create\(null\)|[sS]afeKey/ },
    confidence: 0.5,
    wrong: `export function set(object, path, value) {
  const keys = path.split(".");
  let at = object;
  for (const key of keys.slice(0, -1)) at = at[key] = at[key] || {};
}`,
    right: `export function set(object, path, value) {
  const keys = path.split(".");
  if (keys.includes("__proto__") || keys.includes("constructor")) return;
  let at = object;
  for (const key of keys.slice(0, -1)) at = at[key] = at[key] || {};
}`,
    words: {
      what: "A path of names is walked and made, whatever the names are.",
      attack: "`__proto__.isAdmin` sets a member of every object of the program.",
      mend: "Refuse `__proto__`, `constructor` and `prototype`.",
    },
  },
  {
    id: "cookie/header",
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
      attack: "Anybody on the way reads it.",
      mend: "Add `; Secure; HttpOnly; SameSite=Lax`.",
    },
  },
  {
    id: "cookie/page",
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
    words: {
      what: "The cookie of the session is also sent over plain HTTP.",
      attack: "Anybody on the way takes over the session.",
      mend: "Set `secure: true`.",
    },
  },
  {
    id: "csrf/ignored-methods",
    cwe: 352,
    severity: "warning",
    calls: "csurf: csrf-csrf:doubleCsrf csurf csrf lusca:csrf @fastify/csrf-protection:",
    when: { argument: 0, option: "ignoreMethods", is: ["POST", "PUT", "PATCH", "DELETE"] },
    wrong: `app.use(require("csurf")({ cookie: true, ignoreMethods: ["GET", "POST"] }));`,
    right: `app.use(require("csurf")({ cookie: true, ignoreMethods: ["GET", "HEAD", "OPTIONS"] }));`,
    words: {
      what: "Requests that change something are not checked.",
      attack: "A page elsewhere sends such a request in the name of whoever is signed in.",
      mend: "Leave out only `GET`, `HEAD` and `OPTIONS`.",
    },
  },
  {
    id: "csrf/token-in-address",
    cwe: 352,
    severity: "warning",
    calls: "csurf: csurf csrf",
    when: { argument: 0, option: "value", reads: /\.query\b/ },
    wrong: `app.use(require("csurf")({ value: (req) => req.query.token }));`,
    right: `app.use(require("csurf")({ value: (req) => req.headers["csrf-token"] }));`,
    words: {
      what: "The token against forged requests stands in the address.",
      attack: "Addresses are kept in logs, histories and referrers: whoever reads one forges requests.",
      mend: "Take it from a header or the body.",
    },
  },
  {
    id: "csrf/left-out",
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
      attack: "A page elsewhere sends this request in the name of whoever is signed in.",
      mend: "Put the same middleware before its handler.",
    },
  },
  {
    id: "login/no-limit",
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
    id: "helmet/removed",
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
    cwe: 523,
    severity: "warning",
    calls: "helmet:hsts|strictTransportSecurity helmet.hsts|strictTransportSecurity hsts:",
    when: { argument: 0, option: "maxAge", below: 86_400 },
    wrong: `app.use(require("helmet").hsts({ maxAge: 0 }));`,
    right: `app.use(require("helmet").hsts({ maxAge: 31_536_000 }));`,
    fix: { value: "31_536_000" },
    words: {
      what: "Browsers forget at once that this site wants HTTPS.",
      attack: "Anybody on the way answers the next request over plain HTTP instead.",
      mend: "Set `maxAge` to a year.",
    },
  },
  {
    id: "cookie/insecure",
    fix: { value: "true" },
    cwe: 614,
    severity: "warning",
    calls: SESSIONS,
    when: {
      any: [
        { argument: 0, option: "cookie.secure", is: [false] },
        { argument: 0, option: "secure", is: [false] },
        { argument: 0, option: "cookie.secure", missing: true },
        { argument: 0, option: "cookieOptions.secure", is: [false] },
      ],
    },
    unless: {
      any: [
        { argument: 0, missing: true },
        { argument: 0, option: "secure", is: [true] },
      ],
    },
    wrong: `app.use(require("express-session")({ secret: key, cookie: { httpOnly: true } }));`,
    right: `app.use(require("express-session")({ secret: key, cookie: { httpOnly: true, secure: true } }));`,
    words: {
      what: "The cookie of the session is also sent over plain HTTP.",
      attack: "Anybody on the way takes over the session.",
      mend: "Set `secure: true`.",
    },
  },
  {
    id: "cookie/insecure",
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
      attack: "Anybody on the way reads it.",
      mend: "Set `secure: true`.",
    },
  },
  {
    id: "cookie/readable",
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
    words: {
      what: "Scripts of the page read this cookie.",
      attack: "One injected script is enough to take over sessions.",
      mend: "Set `httpOnly: true`.",
    },
  },
  {
    id: "cookie/readable",
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
    words: {
      what: "Scripts of the page read this cookie.",
      attack: "One injected script is enough to take over sessions.",
      mend: "Set `httpOnly: true`.",
    },
  },
  {
    id: "cookie/default-session",
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
      attack: "Other sites act in the name of whoever is signed in.",
      mend: 'Say `sameSite: "lax"`.',
    },
  },
  {
    id: "cors/everybody",
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
      what: "Every site may read the answers, in the name of whoever is signed in.",
      attack: "A foreign page reads their data.",
      mend: "Name the origins that may.",
    },
  },
  {
    id: "cors/any",
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
    wrong: `app.use(require("cors")({ origin: "*" }));`,
    right: `app.use(require("cors")({ origin: "https://example.com" }));`,
    words: {
      what: "Every site may read the answers of this server.",
      attack: "If an answer depends on the network or on who asks, other sites learn it.",
      mend: "Name the origins that may.",
    },
  },
  {
    id: "cors/any-header",
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
    words: {
      what: "Every site may read the answers of this server.",
      attack: "If an answer depends on the network or on who asks, other sites learn it.",
      mend: "Name the origins that may.",
    },
  },
  {
    id: "cors/any-header",
    cwe: 942,
    severity: "info",
    properties: "Access-Control-Allow-Origin access-control-allow-origin",
    when: { argument: 0, is: ["*", "null"] },
    wrong: `const headers = { "Access-Control-Allow-Origin": "*" };`,
    right: `const headers = { "Access-Control-Allow-Origin": "https://example.com" };`,
    words: {
      what: "Every site may read the answers of this server.",
      attack: "If an answer depends on the network or on who asks, other sites learn it.",
      mend: "Name the origins that may.",
    },
  },
  {
    id: "header/script-filter-off",
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
    id: "helmet/off",
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
    cwe: 693,
    severity: "warning",
    calls: "@response..setHeader|header|set *.setHeader|header|set",
    on: /^(?:@?res|@?response|reply|ctx|headers|c)$/,
    when: {
      all: [
        { argument: 0, is: [/^content-security-policy$/i] },
        { argument: 1, is: [/unsafe-eval|script-src[^;]*unsafe-inline|script-src[^;]*\s\*|default-src \*/] },
      ],
    },
    wrong: `app.get("/", (req, res) => { res.setHeader("Content-Security-Policy", "script-src 'self' 'unsafe-eval'"); });`,
    right: `app.get("/", (req, res) => { res.setHeader("Content-Security-Policy", "script-src 'self'"); });`,
    words: {
      what: "This policy allows what it is there to forbid.",
      attack: "An injected script runs.",
      mend: "Name only what is needed, with nonces or hashes.",
    },
  },
  {
    id: "cors/mirror",
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
      attack: "A foreign page reads the data of whoever is signed in.",
      mend: "Compare the origin with a list.",
    },
  },
  {
    id: "error/shown",
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
    id: "log/secret",
    cwe: 532,
    severity: "info",
    calls: "console.log|info|warn|error|debug|trace *.log|info|warn|error|debug|trace",
    on: /^(?:console|log|logger|winston|pino|bunyan|plain|\w*Logger|\w*log)$/i,
    when: {
      text: /(?:[({,+\s.[]|\$\{)(?:\w+\.)*\w*(?:[pP]assword|[pP]asswd|[sS]ecretKey|[sS]ecret|(?:access|refresh|auth|reset|session)Token|[aA]piKey|authorization|[cC]vv|cardNumber|[pP]rivateKey)(?:\s*[,)}+]|\s*$)/,
    },
    wrong: `console.log("signed in with", password);`,
    right: `console.log("signed in", user.id);`,
    words: {
      what: "A secret is written into the log.",
      attack: "Whoever reads logs, backups of them among it, has it.",
      mend: "Leave it out.",
    },
  },
  {
    id: "upload/limit-off",
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
      what: "This limit is none.",
      attack: "A few requests fill the memory or the disk.",
      mend: "Set it to what is needed.",
    },
  },
  {
    id: "server/trust-proxy",
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
      what: "Whoever asks says from where.",
      attack: "`X-Forwarded-For` gets round limits and lists of addresses.",
      mend: "Name the proxies, or how many there are.",
    },
  },
  {
    id: "csrf/off",
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
    id: "graphql/open",
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
      what: "Everybody can ask for the whole schema, or use its tools.",
      attack: "It is a map of what can be attacked.",
      mend: "Switch it off outside of development.",
    },
  },
  {
    id: "graphql/forged",
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
  {
    id: "upload/no-limit",
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
      attack: "Anybody names another's address and reads their conversations.",
      mend: "Add `user_hash`, made on the server.",
    },
  },
];
