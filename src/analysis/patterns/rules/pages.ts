import type { Setting, Sink } from "../row.ts";

const ATTACK = "Whoever writes that input runs scripts in the pages of others and acts in their name.";

/** Input that becomes HTML, and what pages give away. */
export const PAGE_SINKS: readonly Sink[] = [
  {
    id: "page/html",
    cwe: 79,
    danger: "html",
    severity: "error",
    properties: "innerHTML",
    when: { argument: 1, not: { argument: 1, option: "type", present: true } },
    wrong: `export const view = (h, text) => h("div", { domProps: { innerHTML: text } });`,
    right: `export const view = (h, text) => h("div", { domProps: { textContent: text } });`,
    words: {
      what: "becomes HTML of the page",
      attack: ATTACK,
      mend: "Use `textContent`, or clean it with DOMPurify first.",
    },
  },
  {
    id: "page/html",
    cwe: 79,
    danger: "html",
    severity: "error",
    calls:
      "*.setProperty lit:unsafeHTML|unsafeSVG lit/directives/unsafe-html:unsafeHTML lit/directives/unsafe-html.js:unsafeHTML unsafeHTML unsafeSVG",
    argument: "all",
    when: { any: [{ argument: 1, is: ["innerHTML", "outerHTML", "srcdoc"] }, { callee: /unsafe(?:HTML|SVG)$/ }] },
    wrong: `export class Note { show(text) { this.renderer.setProperty(this.element, "innerHTML", text); } }`,
    right: `export class Note { show(text) { this.renderer.setProperty(this.element, "textContent", text); } }`,
    words: {
      what: "becomes HTML of the page",
      attack: ATTACK,
      mend: "Use `textContent`, or clean it with DOMPurify first.",
    },
  },
  {
    id: "page/event-attribute",
    cwe: 79,
    danger: "code",
    severity: "error",
    calls: "*.setAttribute",
    argument: 1,
    when: { argument: 0, is: [/^on[a-z]+$/i] },
    wrong: `export function bind(button, text) { button.setAttribute("onclick", text); }`,
    right: `export function bind(button, text) { button.setAttribute("title", text); }`,
    words: {
      what: "becomes code that the page runs",
      attack: ATTACK,
      mend: "Use `addEventListener` with a function.",
    },
  },
  {
    id: "page/joined-template",
    cwe: 79,
    danger: "code",
    severity: "error",
    onlyJoined: true,
    properties: "template",
    when: { argument: 0, reads: /<\w/ },
    from: "anything",
    wrong: `const app = createApp({ template: "<div>" + location.hash + "</div>" });`,
    right: `const app = createApp({ template: "<div>{{ text }}</div>" });`,
    words: {
      what: "becomes part of a template before it is compiled",
      attack: "Expressions in it are run in the page of whoever looks at it.",
      mend: "Write `{{ … }}` in the template and hand the value over as data.",
    },
  },
  {
    id: "page/html",
    fix: { names: { innerHTML: "textContent" } },
    cwe: 79,
    danger: "html",
    severity: "error",
    writes: "*.innerHTML|outerHTML|srcdoc document.body.innerHTML|outerHTML document.documentElement.innerHTML",
    wrong: `document.getElementById("a").innerHTML = "Hello " + decodeURIComponent(location.hash);`,
    right: `document.getElementById("a").textContent = "Hello " + decodeURIComponent(location.hash);`,
    words: {
      what: "becomes HTML of the page",
      attack: ATTACK,
      mend: "Use `textContent`, or clean it with DOMPurify first.",
    },
  },
  {
    id: "page/html",
    cwe: 79,
    danger: "html",
    severity: "error",
    calls:
      "document.write|writeln *.insertAdjacentHTML|createContextualFragment|setHTMLUnsafe *.document.write|document.writeln",
    argument: "all",
    wrong: `document.write("<p>" + location.search + "</p>");`,
    right: `document.write("<p>Hello</p>");`,
    words: {
      what: "becomes HTML of the page",
      attack: ATTACK,
      mend: "Build nodes and set their `textContent`, or clean it with DOMPurify first.",
    },
  },
  {
    id: "page/jquery",
    fix: { names: { html: "text" } },
    cwe: 79,
    danger: "html",
    severity: "error",
    calls:
      "*.html|append|prepend|after|before|replaceWith|wrap|wrapAll|wrapInner|load|appendTo|prependTo|insertAfter|insertBefore|replaceAll $.parseHTML jQuery.parseHTML",
    on: /^(?:\$|jQuery|\$\w+|jquery|element|elem|el|\w*[eE]lement|find|children|parent|closest|eq|first|last|container|this)$/,
    argument: 0,
    unless: { argument: 0, reads: /^\$\(\s*["'`]<\w+\s*\/?>["'`]/ },
    wrong: `$("#name").html(location.hash);`,
    right: `$("#name").text(location.hash);`,
    words: {
      what: "becomes HTML of the page, by jQuery",
      attack: ATTACK,
      mend: "Use `.text(…)`, or clean it with DOMPurify first.",
    },
  },
  {
    id: "page/jquery-selector",
    cwe: 79,
    danger: "html",
    severity: "warning",
    joined: true,
    calls: "$ jQuery jquery:",
    argument: 0,
    wrong: `$("#" + location.hash);`,
    right: `$(document).find("#name");`,
    words: {
      what: "is read by jQuery as a selector, or as HTML where it begins with `<`",
      attack: ATTACK,
      mend: "Use `$(document).find(…)` with `CSS.escape`.",
    },
  },
  {
    id: "page/react-html",
    cwe: 79,
    danger: "html",
    severity: "error",
    attributes: "dangerouslySetInnerHTML srcDoc",
    wrong: `export const Note = ({ text }) => <p dangerouslySetInnerHTML={{ __html: text }} />;`,
    right: `import DOMPurify from "dompurify";
export const Note = ({ text }) => <p dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(text) }} />;`,
    words: {
      what: "becomes HTML of the page",
      attack: ATTACK,
      mend: "Leave it to React (`{text}`), or clean it with DOMPurify first.",
    },
  },
  {
    id: "page/react-create-html",
    cwe: 79,
    danger: "html",
    severity: "error",
    calls: "react:createElement|cloneElement React.createElement|cloneElement createElement h vue:h vue:createVNode",
    argument: { at: 1, options: "dangerouslySetInnerHTML.__html innerHTML domProps.innerHTML" },
    wrong: `import React from "react";
export const Note = (props) => React.createElement("p", { dangerouslySetInnerHTML: { __html: props.text } });`,
    right: `import React from "react";
export const Note = (props) => React.createElement("p", {}, props.text);`,
    words: {
      what: "becomes HTML of the page",
      attack: ATTACK,
      mend: "Leave it to React, or clean it with DOMPurify first.",
    },
  },
  {
    id: "page/link",
    cwe: 79,
    danger: "browser",
    severity: "warning",
    from: "parameter",
    attributes: "href src action formAction xlinkHref data",
    wrong: `import { useParams } from "react-router-dom";
export const Back = () => { const { next } = useParams(); return <a href={next}>back</a>; };`,
    right: `import { useParams } from "react-router-dom";
export const Back = () => { const { next } = useParams(); return <a href={"/items/" + next}>back</a>; };`,
    words: {
      what: "is the address of a link",
      attack: "One that begins with `javascript:` runs a script in the name of whoever follows it.",
      mend: "Put a path of this site before it, or check that it begins with `https://`.",
    },
  },
  {
    id: "page/link",
    cwe: 79,
    danger: "browser",
    severity: "warning",
    from: "source",
    writes: "*.href|src|action|formAction",
    on: /^(?:a|anchor|link|frame|iframe|form|el|element|\w*(?:Link|Anchor|Frame|Form))$/,
    wrong: `anchor.href = new URLSearchParams(location.search).get("next");`,
    right: `anchor.href = "/items/" + new URLSearchParams(location.search).get("id");`,
    words: {
      what: "is the address of a link",
      attack: "One that begins with `javascript:` runs a script in the name of whoever follows it.",
      mend: "Put a path of this site before it, or check that it begins with `https://`.",
    },
  },
  {
    id: "page/attribute",
    cwe: 79,
    danger: "browser",
    severity: "warning",
    from: "source",
    calls: "*.setAttribute|attr|prop|setProperty",
    argument: { from: 1 },
    when: {
      any: [
        { argument: 0, is: [/^(?:on\w+|href|src|srcdoc|action|formaction|data|style|xlink:href)$/i] },
        { argument: 1, is: ["innerHTML", "outerHTML", "srcdoc"] },
      ],
    },
    wrong: `box.setAttribute("onclick", new URLSearchParams(location.search).get("action"));`,
    right: `box.setAttribute("title", new URLSearchParams(location.search).get("title"));`,
    words: {
      what: "becomes an attribute that runs scripts",
      attack: ATTACK,
      mend: "Use `addEventListener`, and check addresses that they begin with `https://`.",
    },
  },
  {
    id: "page/template-html",
    cwe: 79,
    danger: "html",
    severity: "warning",
    calls:
      "lit/directives/unsafe-html.js:unsafeHTML lit-html/directives/unsafe-html.js:unsafeHTML unsafeHTML unsafeSVG hono/html:raw Handlebars.SafeString handlebars:SafeString lit/directives/unsafe-html:unsafeHTML lit-html/directives/unsafe-html:unsafeHTML",
    wrong: `const { unsafeHTML } = require("lit/directives/unsafe-html.js");
export const note = (text) => unsafeHTML(text);`,
    right: `const { unsafeHTML } = require("lit/directives/unsafe-html.js");
export const note = () => unsafeHTML("<b>Hello</b>");`,
    words: {
      what: "is declared to be HTML",
      attack: ATTACK,
      mend: "Hand it over as text, or clean it with DOMPurify first.",
    },
  },
  {
    id: "page/angular-trust",
    cwe: 79,
    danger: "html",
    severity: "error",
    calls:
      "*.bypassSecurityTrustHtml|bypassSecurityTrustScript|bypassSecurityTrustUrl|bypassSecurityTrustResourceUrl|bypassSecurityTrustStyle $sce.trustAsHtml|trustAsUrl|trustAsJs|trustAs|trustAsResourceUrl|trustAsCss *.trustAsHtml|trustAsUrl|trustAsJs|trustAsResourceUrl|trustAsCss|trustAs",
    argument: "all",
    from: "anything",
    wrong: `export class Note {
  show(text) { return this.sanitizer.bypassSecurityTrustHtml(text); }
}`,
    right: `export class Note {
  show() { return this.sanitizer.bypassSecurityTrustHtml("<b>Hello</b>"); }
}`,
    words: {
      what: "is declared harmless to Angular",
      attack: ATTACK,
      mend: "Leave the cleaning to Angular: bind the value as it is.",
    },
  },
  {
    id: "page/answer",
    cwe: 79,
    danger: "html",
    severity: "error",
    from: "source",
    calls: "@response..send|write|end @context..html|body",
    writes: "@context.body|response.body",
    argument: 0,
    unless: {
      any: [
        { argument: 0, reads: /^[{[]/ },
        { within: /(?:content-type|\.type\(|contentType)[^\n]{0,30}(?:json|plain)/i },
        { text: /\.json\(|\.type\(\s*["'`](?!html|text\/html)/ },
      ],
    },
    wrong: `app.get("/", (req, res) => { res.send("Hello " + req.query.name); });`,
    right: `const escape = require("escape-html");
app.get("/", (req, res) => { res.send("Hello " + escape(req.query.name)); });`,
    words: { what: "is sent as HTML", attack: ATTACK, mend: "Send JSON, or encode it with `escape-html` first." },
  },
  {
    id: "page/answer-object",
    cwe: 79,
    danger: "html",
    severity: "error",
    from: "source",
    calls: "Response",
    argument: 0,
    when: { argument: 1, option: "headers", reads: /text\/html/ },
    wrong: `Deno.serve((req) => new Response("<p>" + new URL(req.url).searchParams.get("a"), { headers: { "content-type": "text/html" } }));`,
    right: `Deno.serve((req) => new Response(new URL(req.url).searchParams.get("a"), { headers: { "content-type": "text/plain" } }));`,
    words: { what: "is sent as HTML", attack: ATTACK, mend: "Send it as text or JSON, or encode it first." },
  },
  {
    id: "page/html-text",
    cwe: 79,
    danger: "html",
    severity: "warning",
    from: "source",
    composes: /<\/?[a-z][^<]*>?/i,
    wrong: `app.get("/", (req, res) => { const page = "<h1>" + req.query.name + "</h1>"; show(page); });`,
    right: `const escape = require("escape-html");
app.get("/", (req, res) => { const page = "<h1>" + escape(req.query.name) + "</h1>"; show(page); });`,
    words: {
      what: "is put together with HTML",
      attack: ATTACK,
      mend: "Encode it with `escape-html`, or use a template engine that does so.",
    },
  },
  {
    id: "sql/text",
    cwe: 89,
    danger: "sql",
    severity: "warning",
    composes:
      /^.{0,3}\s*(?:select\s.{1,200}\sfrom\s|insert\s+into\s|update\s.{1,80}\sset\s|delete\s+from\s|(?:drop|create|alter)\s+table\s)/is,
    wrong: `app.get("/", (req, res) => { const query = "SELECT * FROM users WHERE id = " + req.query.id; ask(query); });`,
    right: `app.get("/", (req, res) => { const query = "SELECT * FROM users WHERE id = " + Number(req.query.id); ask(query); });`,
    words: {
      what: "is put together with the text of an SQL query",
      attack:
        "Whoever writes that input decides what the database does: reads other people's rows, changes or deletes them.",
      mend: "Leave the value out of the text and hand it over as a parameter.",
    },
  },
];

export const PAGE_SETTINGS: readonly Setting[] = [
  {
    id: "page/vue-html",
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
      attack: "Anybody on the way reads and changes it.",
      mend: "Use `https:`.",
    },
  },
  {
    id: "page/angularjs-off",
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
    words: {
      what: "Escaping is switched off in this template engine.",
      attack: "Text from people reaches the page as HTML and runs scripts there.",
      mend: "Leave it on, and mark the few values that are HTML.",
    },
  },
  {
    id: "page/no-escaping",
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
    words: {
      what: "Escaping is switched off in this template engine.",
      attack: "Text from people reaches the page as HTML and runs scripts there.",
      mend: "Leave it on, and mark the few values that are HTML.",
    },
  },
  {
    id: "page/script-purify",
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
