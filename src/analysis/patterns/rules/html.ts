import type { Sink } from "../row.ts";

const ATTACK = "An attacker who controls the input runs scripts in the pages of others and acts in their name.";

/** Of whatever puts text into a page as HTML. */
const AS_HTML: Sink["words"] = {
  what: "becomes HTML of the page",
  attack: ATTACK,
  mend: "Use `textContent`, or clean it with DOMPurify first.",
};

/** Of whatever becomes the address of a link. */
const AS_LINK: Sink["words"] = {
  what: "is the address of a link",
  attack: "One that begins with `javascript:` runs a script in the name of the user who follows it.",
  mend: "Put a path of this site before it, or check that it begins with `https://`.",
};

const JQUERY =
  "html|append|prepend|after|before|replaceWith|wrap|wrapAll|wrapInner|load|appendTo|prependTo|insertAfter|insertBefore|replaceAll";

/** Input that becomes HTML, a script or an address in a page. */
export const HTML_SINKS: readonly Sink[] = [
  {
    id: "page/html",
    title: "Cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "error",
    properties: "innerHTML",
    when: { argument: 1, not: { argument: 1, option: "type", present: true } },
    wrong: `export const view = (h, text) => h("div", { domProps: { innerHTML: text } });`,
    right: `export const view = (h, text) => h("div", { domProps: { textContent: text } });`,
    words: AS_HTML,
  },
  {
    id: "page/html",
    title: "Cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "error",
    calls:
      "*!.setProperty lit:unsafeHTML|unsafeSVG lit/directives/unsafe-html:unsafeHTML lit/directives/unsafe-html.js:unsafeHTML ?unsafeHTML ?unsafeSVG",
    argument: "all",
    when: { any: [{ argument: 1, is: ["innerHTML", "outerHTML", "srcdoc"] }, { callee: /unsafe(?:HTML|SVG)$/ }] },
    wrong: `export class Note { show(text) { this.renderer.setProperty(this.element, "innerHTML", text); } }`,
    right: `export class Note { show(text) { this.renderer.setProperty(this.element, "textContent", text); } }`,
    words: AS_HTML,
  },
  {
    id: "page/event-attribute",
    title: "Cross-site scripting (XSS)",
    cwe: 79,
    danger: "code",
    severity: "error",
    calls: "*!.setAttribute",
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
    title: "Client-side template injection (XSS)",
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
      attack: "Expressions in it are run in the page of the user who looks at it.",
      mend: "Write `{{ … }}` in the template and hand the value over as data.",
    },
  },
  {
    id: "page/html",
    title: "Cross-site scripting (XSS)",
    fix: { names: { innerHTML: "textContent" } },
    cwe: 79,
    danger: "html",
    severity: "error",
    writes: "*!.innerHTML|outerHTML|srcdoc document.body.innerHTML|outerHTML document.documentElement.innerHTML",
    wrong: `document.getElementById("a").innerHTML = "Hello " + decodeURIComponent(location.hash);`,
    right: `document.getElementById("a").textContent = "Hello " + decodeURIComponent(location.hash);`,
    words: AS_HTML,
  },
  {
    id: "page/html",
    title: "Cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "error",
    calls:
      "document.write|writeln *!.insertAdjacentHTML|createContextualFragment|setHTMLUnsafe *!.document.write|document.writeln",
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
    title: "Cross-site scripting (XSS)",
    fix: { names: { html: "text" } },
    cwe: 79,
    danger: "html",
    severity: "error",
    calls: `jquery|cash-dom|zepto:..${JQUERY} *.${JQUERY} jquery:parseHTML`,
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
    title: "Cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "warning",
    joined: true,
    calls: "jquery:",
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
    title: "Cross-site scripting (XSS)",
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
    title: "Cross-site scripting (XSS)",
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
    title: "Cross-site scripting (XSS) in a link",
    cwe: 79,
    danger: "browser",
    severity: "warning",
    from: "parameter",
    attributes: "href src action formAction xlinkHref data",
    wrong: `import { useParams } from "react-router-dom";
export const Back = () => { const { next } = useParams(); return <a href={next}>back</a>; };`,
    right: `import { useParams } from "react-router-dom";
export const Back = () => { const { next } = useParams(); return <a href={"/items/" + next}>back</a>; };`,
    words: AS_LINK,
  },
  {
    id: "page/link",
    title: "Cross-site scripting (XSS) in a link",
    cwe: 79,
    danger: "browser",
    severity: "warning",
    from: "source",
    writes: "*.href|src|action|formAction",
    on: /^(?:a|anchor|link|frame|iframe|form|el|element|\w*(?:Link|Anchor|Frame|Form))$/,
    wrong: `anchor.href = new URLSearchParams(location.search).get("next");`,
    right: `anchor.href = "/items/" + new URLSearchParams(location.search).get("id");`,
    words: AS_LINK,
  },
  {
    id: "page/attribute",
    title: "Cross-site scripting (XSS)",
    cwe: 79,
    danger: "browser",
    severity: "warning",
    from: "source",
    calls: "*!.setAttribute|attr|prop|setProperty",
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
    title: "Cross-site scripting (XSS)",
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
    title: "Cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "error",
    calls:
      "*!.bypassSecurityTrustHtml|bypassSecurityTrustScript|bypassSecurityTrustUrl|bypassSecurityTrustResourceUrl|bypassSecurityTrustStyle $sce.trustAsHtml|trustAsUrl|trustAsJs|trustAs|trustAsResourceUrl|trustAsCss *!.trustAsHtml|trustAsUrl|trustAsJs|trustAsResourceUrl|trustAsCss|trustAs",
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
    title: "Reflected cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "error",
    from: "source",
    calls: "@response..send|write|end|response @context..html|body|newResponse @context.res.end|res.write h3:html|send",
    writes: "@context.body|response.body",
    argument: "all",
    when: { sends: "html" },
    unless: { text: /\.json\(/ },
    wrong: `app.get("/", (req, res) => { res.send("Hello " + req.query.name); });`,
    right: `const escape = require("escape-html");
app.get("/", (req, res) => { res.send("Hello " + escape(req.query.name)); });`,
    words: { what: "is sent as HTML", attack: ATTACK, mend: "Send JSON, or encode it with `escape-html` first." },
  },
  {
    id: "page/answer",
    title: "Reflected cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "error",
    from: "source",
    onlySure: true,
    returnedBy: /^(?:Get|Post|Put|Patch|Delete|All|Options)$/,
    when: { sends: "html" },
    wrong: `import { Controller, Get, Query } from "@nestjs/common";
import type { Response } from "express";
@Controller() export class Greetings { @Get() hello(@Query("name") name: string) { return "Hello " + name; } }`,
    right: `import { Controller, Get, Query } from "@nestjs/common";
import type { Response } from "express";
@Controller() export class Greetings { @Get() hello(@Query("name") name: string) { return { hello: name }; } }`,
    words: { what: "is sent as HTML", attack: ATTACK, mend: "Send JSON, or encode it with `escape-html` first." },
  },
  {
    id: "page/answer-object",
    title: "Reflected cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "error",
    from: "source",
    calls: "Response next/server:NextResponse NextResponse",
    argument: 0,
    when: { argument: 1, option: "headers", reads: /text\/html/ },
    wrong: `Deno.serve((req) => new Response("<p>" + new URL(req.url).searchParams.get("a"), { headers: { "content-type": "text/html" } }));`,
    right: `Deno.serve((req) => new Response(new URL(req.url).searchParams.get("a"), { headers: { "content-type": "text/plain" } }));`,
    words: { what: "is sent as HTML", attack: ATTACK, mend: "Send it as text or JSON, or encode it first." },
  },
  {
    id: "page/html-text",
    title: "Cross-site scripting (XSS)",
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
];
