import type { Setting } from "../row.ts";

/** Of template engines that escape nothing. */
const UNESCAPED: Setting["words"] = {
  what: "Escaping is switched off in this template engine.",
  attack: "Text from people reaches the page as HTML and runs scripts there.",
  mend: "Leave it on, and mark the few values that are HTML.",
};

/** What pages give away, and what they leave open. */
export const PAGE_SETTINGS: readonly Setting[] = [
  {
    id: "page/vue-html",
    title: "Unescaped HTML (v-html)",
    cwe: 79,
    severity: "info",
    properties: "template",
    when: { argument: 0, reads: /\sv-html=/ },
    wrong: `export default { props: ["text"], template: '<p v-html="text"></p>' };`,
    right: `export default { props: ["text"], template: "<p>{{ text }}</p>" };`,
    words: {
      what: "A value becomes HTML of the page (`v-html`).",
      attack: "If people write it, it runs scripts in the pages of others.",
      mend: "Use `{{ }}`, or clean it with DOMPurify first.",
    },
  },
  {
    id: "page/unescaped-template",
    title: "Unescaped template output",
    cwe: 79,
    severity: "warning",
    calls:
      "ejs|pug|handlebars|mustache|nunjucks|eta|dot|hogan.js:render|compile|renderString|template Mustache.render Handlebars.compile ejs.render pug.render",
    when: { argument: 0, is: [/<%-(?!\s*include)|\{\{\{|!\{|^\s*\w*!=|\{\{&|\|\s*safe/] },
    wrong: `const page = require("ejs").render("<p><%- text %></p>", { text });`,
    right: `const page = require("ejs").render("<p><%= text %></p>", { text });`,
    words: {
      what: "A value is put into this template without escaping.",
      attack: "Text from people reaches the page as HTML and runs scripts there.",
      mend: "Use the form that escapes.",
    },
  },
  {
    id: "page/frame-sandbox",
    title: "Ineffective iframe sandbox",
    cwe: 1021,
    severity: "info",
    elements: "iframe",
    when: {
      all: [
        { option: "sandbox", is: [/allow-scripts/] },
        { option: "sandbox", is: [/allow-same-origin/] },
      ],
    },
    wrong: `export const Box = () => <iframe title="a" src="/a" sandbox="allow-scripts allow-same-origin" />;`,
    right: `export const Box = () => <iframe title="a" src="/a" sandbox="allow-scripts" />;`,
    words: {
      what: "The framed page can take its own walls away.",
      attack: "A script in it removes the sandbox.",
      mend: "Leave one of the two out.",
    },
  },
  {
    id: "page/plain-resource",
    title: "Mixed content (HTTP resource)",
    fix: { replace: [/^(.)http:/i, "$1https:"] },
    cwe: 319,
    severity: "info",
    elements: "script iframe form link img",
    when: {
      any: [
        { option: "src", is: [/^http:\/\/(?!localhost|127\.)/] },
        { option: "action", is: [/^http:\/\/(?!localhost|127\.)/] },
      ],
    },
    wrong: `export const Page = () => <script src="http://cdn.example.com/a.js" />;`,
    right: `export const Page = () => <script src="/a.js" />;`,
    words: {
      what: "This is fetched, or sent, without encryption.",
      attack: "An attacker on the network can read and change it.",
      mend: "Use `https:`.",
    },
  },
  {
    id: "page/angularjs-off",
    title: "AngularJS escaping disabled",
    cwe: 79,
    severity: "warning",
    calls:
      "$sceProvider.enabled $sceDelegateProvider.resourceUrlWhitelist|trustedResourceUrlList *.aHrefSanitizationWhitelist|aHrefSanitizationTrustedUrlList *.enabled *.resourceUrlWhitelist",
    on: /^\$/,
    when: {
      any: [
        { argument: 0, is: [false, "**", "*"] },
        { argument: 0, reads: /javascript/ },
      ],
    },
    wrong: `app.config(($sceProvider) => { $sceProvider.enabled(false); });`,
    right: `app.config(($sceProvider) => { $sceProvider.enabled(true); });`,
    words: {
      what: "Protection against scripts is switched off in AngularJS.",
      attack: "Text from people runs scripts in the pages of others.",
      mend: "Leave it on.",
    },
  },
  {
    id: "page/blank-target",
    title: "Reverse tabnabbing",
    fix: { append: ' rel="noopener noreferrer"' },
    cwe: 1022,
    severity: "info",
    elements: "a area form",
    when: {
      all: [
        { option: "target", is: ["_blank"] },
        {
          any: [
            { option: "href", is: [/^(?:https?:)?\/\//] },
            { option: "href", reads: /^\{/ },
          ],
        },
      ],
    },
    unless: {
      any: [
        { option: "rel", is: [/noopener|noreferrer/] },
        { option: "rel", reads: /\{/ },
      ],
    },
    wrong: `export const Link = () => <a href="https://example.com" target="_blank">there</a>;`,
    right: `export const Link = () => <a href="https://example.com" target="_blank" rel="noopener noreferrer">there</a>;`,
    words: {
      what: "The page that is opened can steer this one.",
      attack: "In older browsers it replaces this page by a copy that asks for the password.",
      mend: 'Add `rel="noopener noreferrer"`.',
    },
  },
  {
    id: "page/message-target",
    title: "postMessage to any origin",
    cwe: 345,
    severity: "warning",
    calls: "*.postMessage postMessage",
    when: {
      any: [
        { argument: 1, is: ["*"] },
        { argument: 1, option: "targetOrigin", is: ["*"] },
      ],
    },
    wrong: `parent.postMessage({ token }, "*");`,
    right: `parent.postMessage({ token }, "https://example.com");`,
    words: {
      what: "This message goes to whatever page is there.",
      attack: "A foreign page that embeds or replaces the other one reads it.",
      mend: "Name the origin that may read it.",
    },
  },
  {
    id: "page/message-origin",
    title: "Missing origin check for messages",
    cwe: 346,
    severity: "warning",
    calls: "addEventListener *.addEventListener",
    on: /^(?:window|globalThis|self)$/,
    when: {
      all: [
        { argument: 0, is: ["message"] },
        { argument: 1, reads: /=>|function/ },
        { file: /\b(?:window|document|postMessage|addEventListener)\b/ },
      ],
    },
    unless: {
      any: [
        {
          argument: 1,
          reads: /\.origin\b(?!\.(?:includes|indexOf|search|match|startsWith|endsWith))(?![^;\n]*\.test\()|\.source\b/,
        },
        { file: /\bself\.(?:onmessage|skipWaiting)|workerData|importScripts/ },
      ],
    },
    wrong: `window.addEventListener("message", (event) => { run(event.data); });`,
    right: `window.addEventListener("message", (event) => { if (event.origin !== "https://example.com") return; run(event.data); });`,
    words: {
      what: "Messages of every site are taken.",
      attack: "Any page that opens or embeds this one gives it orders.",
      mend: "Compare `event.origin` with the one that may send.",
    },
  },
  {
    id: "page/token-in-storage",
    title: "Token in web storage",
    cwe: 922,
    severity: "info",
    calls: "localStorage.setItem sessionStorage.setItem *.localStorage.setItem",
    when: {
      any: [
        { argument: 0, is: [/(?:^|[^a-z])(?:token|jwt|password|secret)|(?:access|auth|refresh|id)_?-?token|jwt/i] },
        { argument: 1, reads: /\b(?:jwt|password|accessToken|token)\b/i },
      ],
    },
    wrong: `localStorage.setItem("access_token", answer.token);`,
    right: `localStorage.setItem("theme", answer.theme);`,
    words: {
      what: "A token is kept where every script of the page reads it.",
      attack: "One injected script is enough to take over accounts.",
      mend: "Keep it in a cookie with `httpOnly`, or in memory.",
    },
  },
  {
    id: "page/raw-template",
    title: "Template escaping disabled",
    fix: { without: true },
    cwe: 79,
    severity: "warning",
    properties: "noEscape autoescape autoEscape escapeMarkup",
    when: {
      any: [
        { all: [{ argument: 0, is: [true] }, { text: /^noEscape/ }] },
        { all: [{ argument: 0, is: [false] }, { text: /^(?:autoescape|autoEscape|escapeMarkup)/ }] },
      ],
    },
    wrong: `const page = Handlebars.compile("{{a}}", { noEscape: true });`,
    right: `const page = Handlebars.compile("{{a}}", { noEscape: false });`,
    words: UNESCAPED,
  },
  {
    id: "page/no-escaping",
    title: "Template escaping disabled",
    cwe: 79,
    severity: "warning",
    writes: "mustache:escape Mustache.escape *.escapeMarkup *.escape",
    on: /^(?:mustache|Mustache)$/,
    when: {
      any: [
        { argument: 0, is: [false] },
        { argument: 0, reads: /^\(?(\w+)\)?\s*=>\s*\1$|^function\s*\w*\((\w+)\)\s*\{\s*return\s+\2;?\s*\}$/ },
      ],
    },
    wrong: `Mustache.escape = (text) => text;`,
    right: `Mustache.escape = (text) => clean(text);`,
    words: UNESCAPED,
  },
  {
    id: "page/script-purify",
    title: "Unsafe HTML sanitizer settings",
    cwe: 79,
    severity: "warning",
    calls: "dompurify:sanitize DOMPurify.sanitize isomorphic-dompurify:sanitize sanitize-html:",
    when: {
      any: [
        { argument: 1, option: "ADD_TAGS", is: ["script", "iframe", "object"] },
        { argument: 1, option: "ALLOWED_TAGS", is: ["script", "iframe"] },
        { argument: 1, option: "allowedTags", is: [false, "script"] },
        { argument: 1, option: "allowedAttributes", is: [false] },
        { argument: 1, option: "ALLOW_UNKNOWN_PROTOCOLS", is: [true] },
      ],
    },
    wrong: `const html = DOMPurify.sanitize(text, { ADD_TAGS: ["script"] });`,
    right: `const html = DOMPurify.sanitize(text);`,
    words: {
      what: "The cleaning of HTML lets scripts pass.",
      attack: "The result is no safer than the input.",
      mend: "Leave these tags out.",
    },
  },
  {
    id: "page/markdown-html",
    title: "Raw HTML in Markdown",
    fix: { without: true },
    cwe: 79,
    severity: "info",
    calls:
      "markdown-it: marked: marked:setOptions|marked|parse showdown:Converter remarkable:Remarkable monaco:..hover",
    when: {
      any: [
        { argument: 0, option: "html", is: [true] },
        { argument: 0, option: "sanitize", is: [false] },
        { argument: 1, option: "sanitize", is: [false] },
      ],
    },
    wrong: `const markdown = require("markdown-it")({ html: true });`,
    right: `const markdown = require("markdown-it")({ html: false });`,
    words: {
      what: "HTML in Markdown is kept.",
      attack: "A text from people can hold scripts.",
      mend: "Leave `html` out, or clean the result.",
    },
  },
];
