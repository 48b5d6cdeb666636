import type { Condition, Setting, Sink } from "../row.ts";

const HTTP = "get|post|put|patch|delete|head|request|options|fetch";
const SSRF = {
  what: "says to which address the server sends a request",
  attack: "It asks what only this machine can reach: the inner network, the cloud's metadata with its credentials.",
  mend: "Choose the host from a list in the code, and check it before the request.",
};

/** Of whatever answers with another address. */
const SENDS_AWAY: Sink["words"] = {
  what: "says where people are sent",
  attack: "A link to this site leads to a copy of it elsewhere that asks for the password.",
  mend: "Choose the target from a list in the code, or keep only the path of this site.",
};

/** The address is one of several members, which another row looks at. */
const OPTIONS: Condition = {
  any: [
    { argument: 0, reads: /^\{/ },
    ...["url", "uri", "host", "hostname", "method"].map((option) => ({ argument: 0, option, present: true as const })),
  ],
};

/** Input in requests to others, in redirects, headers and logs. */
export const REQUEST_SINKS: readonly Sink[] = [
  {
    id: "request/address",
    title: "Server-side request forgery (SSRF)",
    cwe: 918,
    danger: "url",
    severity: "error",
    calls: "needle:",
    argument: 1,
    from: "source",
    unless: { argument: 1, reads: /^\{/ },
    wrong: `app.get("/", (req, res) => { require("needle")("get", req.query.address); });`,
    right: `app.get("/", (req, res) => { require("needle")("get", "https://example.com/"); });`,
    words: SSRF,
  },
  {
    id: "request/address",
    title: "Server-side request forgery (SSRF)",
    cwe: 918,
    danger: "url",
    severity: "error",
    from: "source",
    calls:
      "net|tls:connect|createConnection h3:proxyRequest|sendProxy|fetchWithEvent proxyRequest sendProxy http-proxy-middleware:..createProxyMiddleware http-proxy:..createProxyServer|web *.createProxyMiddleware",
    argument: "all",
    unless: {
      any: [
        { argument: 0, reads: /^\{[^}]*\bsession\b/ },
        { argument: 0, reads: /^\w*(?:req|request)$/ },
      ],
    },
    wrong: `app.get("/", (req, res) => { require("net").connect(80, req.query.host); });`,
    right: `app.get("/", (req, res) => { require("net").connect(80, "db.example.com"); });`,
    words: SSRF,
  },
  {
    id: "redirect/answer",
    title: "Open redirect",
    cwe: 601,
    danger: "redirect",
    severity: "error",
    from: "source",
    properties: "url destination",
    when: {
      any: [
        { argument: 1, option: "statusCode", present: true },
        { argument: 1, option: "permanent", present: true },
      ],
      all: [{ any: [{ statement: /\bredirect\b/i }, { file: /@nestjs\/common/ }] }],
    },
    wrong: `export async function getServerSideProps({ query }) { return { redirect: { destination: query.next, permanent: false } }; }`,
    right: `export async function getServerSideProps({ query }) { return { redirect: { destination: "/home", permanent: false } }; }`,
    words: SENDS_AWAY,
  },
  {
    id: "redirect/outside",
    title: "Unsafe external URL",
    cwe: 601,
    danger: "browser",
    severity: "error",
    from: "source",
    calls: "electron:shell.openExternal shell.openExternal",
    argument: 0,
    wrong: `require("electron").ipcMain.handle("open", (event, address) => require("electron").shell.openExternal(address));`,
    right: `const open = () => require("electron").shell.openExternal("https://example.com/");`,
    words: {
      what: "is opened by whatever program the system has for it",
      attack: "An address such as `file:` or `smb:` starts programs on the machine.",
      mend: "Open only addresses that begin with `https://` and a host of a list.",
    },
  },
  {
    id: "request/address",
    title: "Server-side request forgery (SSRF)",
    cwe: 918,
    danger: "url",
    severity: "error",
    from: "source",
    calls: `fetch @request.fetch axios: axios:${HTTP}|() axios.${HTTP} got: got:${HTTP}|stream node-fetch: cross-fetch: cross-fetch:fetch isomorphic-fetch: undici:fetch|request|stream needle: needle:${HTTP} superagent: superagent:${HTTP} request: request:${HTTP} request-promise: request-promise-native: request-promise:${HTTP} request-promise-native:${HTTP} http|https|follow-redirects|http2:get|request|http.get|https.get|connect bent: phin: ky: ky:${HTTP} wretch: unirest:${HTTP} axios:create().${HTTP} @nestjs/axios:HttpService().${HTTP} @nestjs/axios:HttpService().axiosRef.${HTTP} urllib:request popsicle:get make-fetch-happen: download: *!.axiosRef.get jsdom:JSDOM.fromURL soap:createClient|createClientAsync ofetch:ofetch $fetch superagent:agent().get`,
    argument: 0,
    unless: OPTIONS,
    wrong: `const axios = require("axios");
app.get("/", async (req, res) => { res.send((await axios.get(req.query.url)).data); });`,
    right: `const axios = require("axios");
app.get("/", async (req, res) => { res.send((await axios.get("https://api.example.com/items/" + req.query.id)).data); });`,
    words: SSRF,
  },
  {
    id: "request/address",
    title: "Server-side request forgery (SSRF)",
    cwe: 918,
    danger: "url",
    severity: "error",
    from: "source",
    calls: `*.${HTTP}`,
    on: /^(?:axios|http|https|httpClient|httpService|got|needle|superagent|request|ky|\$http|client|api|fetcher|agent|instance|axiosInstance)$/,
    argument: 0,
    unless: OPTIONS,
    wrong: `app.get("/", async (req, res) => { const answer = await httpService.get(req.query.url); });`,
    right: `app.get("/", async (req, res) => { const answer = await httpService.get("https://example.com/"); });`,
    words: SSRF,
  },
  {
    id: "request/options",
    title: "Server-side request forgery (SSRF)",
    cwe: 918,
    danger: "url",
    severity: "error",
    from: "source",
    calls: `axios: axios:request|get request: request:${HTTP} got: http|https:request|get needle:request superagent: undici:request node-fetch: request-promise: request-promise-native:`,
    argument: { at: 0, options: "url uri host hostname baseURL baseUrl" },
    wrong: `const request = require("request");
app.get("/", (req, res) => { request({ uri: req.query.url }, () => {}); });`,
    right: `const request = require("request");
app.get("/", (req, res) => { request({ uri: "https://example.com/", qs: { id: req.query.id } }, () => {}); });`,
    words: SSRF,
  },
  {
    id: "request/browser-address",
    title: "Server-side request forgery (SSRF)",
    cwe: 918,
    danger: "url",
    severity: "error",
    calls:
      "puppeteer|puppeteer-core|puppeteer-extra|playwright|playwright-core|playwright-extra|@playwright/test|selenium-webdriver|webdriverio|electron|nightmare:..goto|navigate|setContent|navigateTo|loadURL *.goto|navigate|setContent|navigateTo|loadURL|printToPDF|setDocumentContent|compileScript",
    on: /^(?:page|\w*Page|frame|driver|browser|tab|newPage|newContext|context|nightmare|client|Page|Runtime|phPage|phantom|win|mainWindow|window|webContents|webview|BrowserWindow)$/,
    argument: 0,
    wrong: `app.get("/", async (req, res) => { await page.goto(req.query.url); });`,
    right: `app.get("/", async (req, res) => { await page.goto("https://example.com/"); });`,
    words: {
      what: "says what a browser opens that the server drives",
      attack:
        "It shows files of the server (`file:`), the inner network and the cloud's metadata, and runs scripts there.",
      mend: "Choose the address from a list in the code; set `page.setContent` from constants and cleaned values only.",
    },
  },
  {
    id: "request/renderer-options",
    title: "Server-side request forgery (SSRF)",
    cwe: 918,
    danger: "url",
    severity: "error",
    calls:
      "wkhtmltopdf: wkhtmltoimage:generate html-pdf:create phantom:..open|setContent|evaluateJavaScript|property *.evaluateJavaScript|openUrl html-pdf-node:generatePdf|generatePdfs pdf-creator-node:create chrome-remote-interface:..navigate|setDocumentContent|evaluate|compileScript|printToPDF",
    argument: 0,
    wrong: `const wkhtmltopdf = require("wkhtmltopdf");
app.get("/", (req, res) => { wkhtmltopdf(req.query.url).pipe(res); });`,
    right: `const wkhtmltopdf = require("wkhtmltopdf");
app.get("/", (req, res) => { wkhtmltopdf("https://example.com/").pipe(res); });`,
    words: {
      what: "is opened by a browser on the server to make a document of it",
      attack: "The document shows files of the server and what only it can reach.",
      mend: "Make it from constants and cleaned values.",
    },
  },
  {
    id: "redirect/open",
    title: "Open redirect",
    cwe: 601,
    danger: "redirect",
    severity: "error",
    from: "source",
    calls:
      "@response..redirect|location @context..redirect next/server:NextResponse.redirect|Response.redirect NextResponse.redirect Response.redirect next/navigation:redirect|permanentRedirect next/router:useRouter().push|replace @remix-run/node|react-router|@remix-run/react|@sveltejs/kit:redirect h3:sendRedirect|redirect sendRedirect @response:redirect",
    argument: "all",
    // A route of the program, by its name.
    unless: { callee: /useRouter\(\)\.(?:push|replace)$/, argument: 0, reads: /^\{/ },
    wrong: `app.get("/", (req, res) => { res.redirect(req.query.next); });`,
    right: `app.get("/", (req, res) => { res.redirect("/items/" + req.query.id); });`,
    words: SENDS_AWAY,
  },
  {
    id: "redirect/header",
    title: "Open redirect",
    cwe: 601,
    danger: "redirect",
    severity: "error",
    from: "source",
    calls: "@response..setHeader|header|set|append",
    argument: 1,
    when: { argument: 0, is: [/^(?:location|refresh)$/i] },
    wrong: `app.get("/", (req, res) => { res.setHeader("Location", req.query.next); });`,
    right: `app.get("/", (req, res) => { res.setHeader("Location", "/home"); });`,
    words: SENDS_AWAY,
  },
  {
    id: "redirect/header",
    title: "Open redirect",
    cwe: 601,
    danger: "redirect",
    severity: "error",
    from: "source",
    calls: "@response..writeHead",
    argument: { at: 1, options: "Location location" },
    wrong: `app.get("/", (req, res) => { res.writeHead(302, { Location: req.query.next }); });`,
    right: `app.get("/", (req, res) => { res.writeHead(302, { Location: "/home" }); });`,
    words: SENDS_AWAY,
  },
  {
    id: "redirect/page",
    title: "Open redirect",
    cwe: 601,
    danger: "browser",
    severity: "warning",
    from: "source",
    writes: "location location.href document.location document.location.href *.location *.location.href",
    calls:
      "location.assign|replace document.location.assign|replace *.location.assign|replace open navigation.navigate window.navigate",
    wrong: `location.href = new URLSearchParams(location.search).get("next");`,
    right: `location.href = "/items/" + encodeURIComponent(new URLSearchParams(location.search).get("id"));`,
    words: {
      what: "says where the page goes",
      attack: "A link leads people elsewhere, and one that begins with `javascript:` runs a script in their name.",
      mend: "Choose the target from a list in the code, or take only its path.",
    },
  },
  {
    id: "header/split",
    title: "HTTP response splitting",
    cwe: 113,
    danger: "header",
    severity: "warning",
    from: "source",
    calls: "@response..setHeader|header|set|append|writeHead",
    argument: "all",
    unless: {
      any: [
        { argument: 0, is: [/^(?:location|refresh)$/i] },
        { argument: 1, option: "Location", present: true },
      ],
    },
    wrong: `app.get("/", (req, res) => { res.setHeader("X-Name", req.query.name); });`,
    right: `app.get("/", (req, res) => { res.setHeader("X-Name", encodeURIComponent(req.query.name)); });`,
    words: {
      what: "goes into a header of the answer",
      attack:
        "It sets what the browser or a cache believes of this answer: another type, another origin, another cookie.",
      mend: "Choose the value from a list, or encode it.",
    },
  },
  {
    id: "log/forged",
    title: "Log injection",
    cwe: 117,
    danger: "log",
    severity: "info",
    from: "source",
    calls:
      "console.log|info|warn|error|debug pino|winston|bunyan|log4js|loglevel|signale:..info|warn|error|debug|log|trace *.info|warn|error|debug|log|trace",
    on: /^(?:console|logger|log|winston|pino|bunyan|\w*Logger)$/,
    argument: "all",
    unless: { argument: 0, reads: /^\{/ },
    wrong: `app.get("/", (req, res) => { console.log("asked for " + req.query.name); });`,
    right: `app.get("/", (req, res) => { console.log("asked", JSON.stringify(req.query.name)); });`,
    words: {
      what: "is written into the log as it comes",
      attack: "A line break in it forges lines of the log.",
      mend: "Write it as a field, with `JSON.stringify` or by a logger that does so.",
    },
  },
  {
    id: "log/format",
    title: "Format string injection",
    cwe: 134,
    danger: "format",
    severity: "warning",
    onlyJoined: true,
    calls: "console.log|info|warn|error|debug|trace util:format util:log",
    argument: 0,
    when: { argument: 1, present: true },
    wrong: `export function tell(name, more) { console.log("hello " + name, more); }`,
    right: `export function tell(name, more) { console.log("hello %s", name, more); }`,
    words: {
      what: "becomes part of a format text",
      attack: "A `%s` in it takes the next argument's place: the log says something else than what happened.",
      mend: 'Keep the format constant: `console.log("… %s", value)`.',
    },
  },
];

export const REQUEST_SETTINGS: readonly Setting[] = [
  {
    id: "request/plain-socket",
    title: "Unencrypted connection",
    fix: { replace: [/^(.)ws:/i, "$1wss:"] },
    cwe: 319,
    severity: "warning",
    texts: /^ws:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\])/i,
    wrong: `const socket = new WebSocket("ws://example.com/events");`,
    right: `const socket = new WebSocket("wss://example.com/events");`,
    words: {
      what: "This socket is not encrypted.",
      attack: "An attacker on the network can read and change what goes over it.",
      mend: "Use `wss:`.",
    },
  },
  {
    id: "request/plain",
    title: "Unencrypted request (HTTP)",
    fix: { replace: [/^(.)http:/i, "$1https:"] },
    cwe: 319,
    severity: "info",
    calls: `fetch @request.fetch axios: axios:${HTTP} axios.${HTTP} got: got:${HTTP} node-fetch: request: request:${HTTP} superagent:${HTTP} needle:${HTTP} needle: http:get|request unirest:${HTTP} cross-fetch: ky: undici:fetch|request`,
    when: {
      any: [
        {
          argument: 0,
          is: [/^http:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\]|169\.254|10\.|192\.168\.|[\w-]+(?:[:/]|$))/i],
        },
        { argument: 1, is: [/^http:\/\/(?!localhost|127\.)[\w-]+\./i] },
        { argument: 0, option: "url", is: [/^http:\/\/(?!localhost|127\.)[\w-]+\./i] },
      ],
    },
    wrong: `const answer = await fetch("http://example.com/prices");`,
    right: `const answer = await fetch("https://example.com/prices");`,
    words: {
      what: "This request is not encrypted.",
      attack: "An attacker on the network can read and change the answer.",
      mend: "Use `https:`.",
    },
  },
  {
    id: "request/telnet",
    title: "Unencrypted connection (Telnet)",
    cwe: 319,
    severity: "warning",
    calls: "telnet-client: telnet-client:Telnet|Telnet() ftp: ftp:Client basic-ftp:Client().access",
    unless: { argument: 0, option: "secure", is: [true] },
    wrong: `const { Telnet } = require("telnet-client");
const connection = new Telnet();`,
    right: `const { Client } = require("ssh2");
const connection = new Client();`,
    words: {
      what: "This connection is not encrypted.",
      attack: "An attacker on the network can read the password and what follows it.",
      mend: "Use SSH, or TLS.",
    },
  },
];
