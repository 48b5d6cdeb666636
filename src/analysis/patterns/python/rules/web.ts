import type { Sink } from "../../row.ts";
import { FLASK } from "./example.ts";

/** Input that says where to go, or what a browser shows. */
export const WEB: readonly Sink[] = [
  {
    id: "python/request",
    title: "Server-side request forgery (SSRF)",
    cwe: 918,
    danger: "url",
    severity: "error",
    calls:
      "requests|httpx:..get|post|put|patch|delete|head|options|stream urllib.request:urlopen|urlretrieve|Request urllib:request.urlopen|request.urlretrieve|request.Request urllib2:urlopen|Request aiohttp:..get|post|put|patch|delete|head|ws_connect http.client:HTTPConnection|HTTPSConnection http:client.HTTPConnection|client.HTTPSConnection urllib3:urlopen socket:create_connection websockets:connect ftplib:FTP *.goto",
    wrong: `import requests
from fastapi import FastAPI
app = FastAPI()

@app.get("/fetch")
async def fetch(url: str):
    return requests.get(url).text`,
    right: `import requests
from fastapi import FastAPI
app = FastAPI()
ALLOWED = ["https://api.shop.internal/a", "https://api.shop.internal/b"]

@app.get("/fetch")
async def fetch(url: str):
    if url not in ALLOWED:
        return None
    return requests.get(url).text`,
    words: {
      what: "says which address the server asks",
      attack:
        "An attacker who controls the input reaches services that only the server reaches, such as those of the cloud that hand out its keys.",
      mend: "Compare the host with a list of those that are meant.",
    },
  },
  {
    id: "python/redirect",
    title: "Open redirect",
    cwe: 601,
    danger: "redirect",
    severity: "warning",
    calls:
      "flask|quart|bottle:redirect werkzeug.utils:redirect django.shortcuts:redirect django.http:HttpResponseRedirect|HttpResponsePermanentRedirect fastapi.responses|starlette.responses:RedirectResponse sanic.response:redirect aiohttp.web:HTTPFound|HTTPSeeOther|HTTPTemporaryRedirect|HTTPMovedPermanently aiohttp:web.HTTPFound|web.HTTPSeeOther|web.HTTPTemporaryRedirect|web.HTTPMovedPermanently pyramid.httpexceptions:HTTPFound|HTTPSeeOther|HTTPMovedPermanently|HTTPTemporaryRedirect",
    wrong: `from django.shortcuts import redirect

def login(request):
    return redirect(request.GET.get("next"))`,
    right: `from django.shortcuts import redirect
from django.urls import reverse

def login(request):
    return redirect(reverse("home"))`,
    words: {
      what: "says where the browser is sent",
      attack: "A link to this site then leads to another one, which can look like it and ask for the password.",
      mend: "Send to a path of this site only (url_has_allowed_host_and_scheme), or choose from a list.",
    },
  },
  {
    id: "python/html",
    title: "Cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "warning",
    calls:
      "markupsafe:Markup flask:Markup django.utils.safestring:mark_safe|SafeString django.http:HttpResponse|HttpResponseBadRequest|HttpResponseNotFound fastapi.responses|starlette.responses:HTMLResponse",
    unless: { text: /(?:content_type|mimetype)\s{0,9}=\s{0,9}["'](?!text\/html|application\/xhtml|image\/svg)/ },
    wrong: `from django.http import HttpResponse

def greet(request):
    return HttpResponse("<p>Hello " + request.GET["name"] + "</p>")`,
    right: `from django.http import HttpResponse
from django.utils.html import escape

def greet(request):
    return HttpResponse("<p>Hello " + escape(request.GET["name"]) + "</p>")`,
    words: {
      what: "is sent to the browser as HTML",
      attack: "An attacker who controls the input runs scripts in the pages of others.",
      mend: "Encode it (escape), or render it by a template.",
    },
  },
  {
    id: "python/answer",
    title: "Reflected cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "error",
    from: "source",
    onlySure: true,
    calls: "#answer flask|quart:make_response|Response sanic.response:html pyramid.response|webob:Response",
    argument: 0,
    when: {
      not: {
        argument: 0,
        reads: /^(?:\{|\[|(?:\w{1,40}\.)?(?:jsonify|dumps|render_template|redirect|send_file|url_for)\b)/,
      },
    },
    // Also of an answer that is given its type in another line.
    unless: {
      within: /(?:content[-_]type["']?\]?|mimetype)\s{0,9}[=:]\s{0,9}["'](?!text\/html|application\/xhtml|image\/svg)/i,
    },
    wrong: `${FLASK}    return "<p>Hello " + request.args["name"] + "</p>"`,
    right: `from markupsafe import escape
${FLASK}    return "<p>Hello " + escape(request.args["name"]) + "</p>"`,
    words: {
      what: "is sent to the browser as HTML",
      attack: "An attacker who controls the input runs scripts in the pages of others and acts in their name.",
      mend: "Encode it (markupsafe.escape), render it by a template, or send JSON.",
    },
  },
  {
    id: "python/answer",
    title: "Reflected cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "error",
    from: "source",
    onlySure: true,
    calls: "aiohttp:web.Response aiohttp.web:Response pyramid.response|webob:Response",
    argument: { at: 0, options: "text body" },
    when: {
      any: [
        { argument: 0, option: "content_type", is: [/^text\/html|^application\/xhtml|^image\/svg/] },
        // Pyramid sends HTML where nothing else is said.
        { all: [{ callee: /^(?:pyramid|webob)/ }, { argument: 0, option: "content_type", missing: true }] },
      ],
    },
    wrong: `from aiohttp import web

async def greet(request):
    return web.Response(text="<p>Hello " + request.query["name"] + "</p>", content_type="text/html")`,
    right: `from aiohttp import web
from html import escape

async def greet(request):
    return web.Response(text="<p>Hello " + escape(request.query["name"]) + "</p>", content_type="text/html")`,
    words: {
      what: "is sent to the browser as HTML",
      attack: "An attacker who controls the input runs scripts in the pages of others and acts in their name.",
      mend: "Encode it (html.escape), or render it by a template.",
    },
  },
  {
    id: "python/log",
    title: "Log injection",
    cwe: 117,
    danger: "log",
    severity: "info",
    from: "source",
    argument: "all",
    calls:
      "logging:debug|info|warning|warn|error|critical|exception|log logging|structlog|loguru:..debug|info|warning|warn|error|critical|exception flask:Flask().logger.debug|Flask().logger.info|Flask().logger.warning|Flask().logger.error flask:current_app.logger.debug|current_app.logger.info|current_app.logger.warning|current_app.logger.error",
    wrong: `import logging
${FLASK}    logging.info("asked for " + request.args["name"])
    return {}`,
    right: `import logging
${FLASK}    logging.info("asked for %r", repr(request.args["name"]))
    return {}`,
    words: {
      what: "is written into the log as it comes",
      attack: "A line break in it forges lines of the log.",
      mend: "Write it with its line breaks encoded: `%r`, or as a field.",
    },
  },
  {
    id: "python/request",
    title: "Server-side request forgery (SSRF)",
    cwe: 918,
    danger: "url",
    severity: "error",
    argument: 1,
    calls: "requests|httpx|aiohttp|urllib3:..request|urlopen",
    wrong: `import requests
${FLASK}    return {"text": requests.request("GET", request.args["url"]).text}`,
    right: `import requests
${FLASK}    return {"text": requests.request("GET", "https://api.shop.internal/a").text}`,
    words: {
      what: "says which address the server asks",
      attack:
        "An attacker who controls the input reaches services that only the server reaches, such as those of the cloud that hand out its keys.",
      mend: "Compare the host with a list of those that are meant.",
    },
  },
];
