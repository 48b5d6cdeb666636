import type { RuleTables } from "../find-patterns.ts";
import type { Cleaner, Setting, Sink, Source } from "../row.ts";
import { INPUT } from "./read-python.ts";

/** Where foreign input comes from in Flask, Django and FastAPI. Arguments of the command line are none: their author may open any file anyway. */
const SOURCES: readonly Source[] = [
  {
    id: "request",
    what: "the request",
    remote: true,
    values: `flask:request.args|form|values|json|data|files|cookies|headers|url|full_path|query_string|view_args|get_json|get_data|path|referrer|user_agent
      @request.GET|POST|COOKIES|META|FILES|body|headers|query_params|path_params|cookies|data|json|form|stream|url|path|get_full_path|build_absolute_uri`,
  },
  { id: "route", what: "the request", remote: true, values: INPUT },
];

const CLEANERS: readonly Cleaner[] = [
  { calls: "int float bool len hash uuid:UUID decimal:Decimal ipaddress:ip_address", clean: "all" },
  { calls: "shlex:quote pipes:quote", clean: ["shell"] },
  {
    calls:
      "html:escape markupsafe:escape flask:escape bleach:clean nh3:clean django.utils.html:escape|format_html|conditional_escape",
    clean: ["html"],
  },
  { calls: "werkzeug.utils:secure_filename os:path.basename os.path:basename", clean: ["path"] },
  {
    calls: "urllib.parse:quote|quote_plus|urlencode urllib:parse.quote|parse.quote_plus|parse.urlencode",
    clean: ["url", "path", "redirect", "html"],
  },
  { calls: "flask:url_for django.urls:reverse django.shortcuts:resolve_url", clean: ["redirect", "url"] },
];

const FLASK = 'from flask import Flask, request\napp = Flask(__name__)\n\n@app.route("/")\ndef page():\n';

const SINKS: readonly Sink[] = [
  {
    id: "python/sql",
    title: "SQL injection",
    cwe: 89,
    danger: "sql",
    severity: "error",
    joined: true,
    calls:
      "sqlite3|psycopg2|psycopg|pymysql|MySQLdb|mysql.connector|asyncpg|aiosqlite|sqlalchemy|sqlalchemy.orm|flask_sqlalchemy|django.db|pymssql|pyodbc|cx_Oracle|oracledb|duckdb:..execute|executemany|executescript|exec_driver_sql|fetch|fetchrow *.execute|executemany|executescript|raw|extra|exec_driver_sql|read_sql sqlalchemy:text sqlalchemy.sql:text django.db.models.expressions:RawSQL pandas:read_sql",
    wrong: `import sqlite3
${FLASK}    cursor = sqlite3.connect("a.db").cursor()
    cursor.execute("SELECT * FROM users WHERE name = '%s'" % request.args.get("name"))`,
    right: `import sqlite3
${FLASK}    cursor = sqlite3.connect("a.db").cursor()
    cursor.execute("SELECT * FROM users WHERE name = ?", (request.args.get("name"),))`,
    words: {
      what: "goes into the text of an SQL query",
      attack:
        "An attacker who controls the input decides what the database does: reads other people's rows, changes or deletes them.",
      mend: "Leave the value out of the text and hand it over as a parameter.",
    },
  },
  {
    id: "python/shell",
    title: "Command injection",
    cwe: 78,
    danger: "shell",
    severity: "error",
    calls: "os:system|popen subprocess:getoutput|getstatusoutput asyncio:create_subprocess_shell",
    wrong: `import os
${FLASK}    os.system("ping -c 1 " + request.args["host"])`,
    right: `import os
import shlex
${FLASK}    os.system("ping -c 1 " + shlex.quote(request.args["host"]))`,
    words: {
      what: "goes into a command of a shell",
      attack: "An attacker who controls the input runs any command on the machine.",
      mend: "Hand over a list of arguments to subprocess.run, without a shell.",
    },
  },
  {
    id: "python/shell",
    title: "Command injection",
    cwe: 78,
    danger: "shell",
    severity: "error",
    calls: "subprocess:run|call|check_call|check_output|Popen",
    when: { argument: 1, option: "shell", is: [true] },
    wrong: `import subprocess
${FLASK}    name = request.form.get("name")
    subprocess.run(f"convert {name} out.png", shell=True)`,
    right: `import subprocess
${FLASK}    name = request.form.get("name")
    subprocess.run(["convert", "--", name, "out.png"], check=True)`,
    words: {
      what: "goes into a command of a shell",
      attack: "An attacker who controls the input runs any command on the machine.",
      mend: "Hand over a list of arguments, and leave out shell=True.",
    },
  },
  {
    id: "python/path",
    title: "Path traversal",
    cwe: 22,
    danger: "path",
    severity: "error",
    joined: true,
    calls:
      "open io:open os:remove|unlink|rmdir|listdir|makedirs|rename shutil:rmtree|copy|copyfile|move flask:send_file fastapi.responses|starlette.responses:FileResponse aiofiles:open",
    wrong: `${FLASK}    with open("files/" + request.args["name"]) as file:
        return file.read()`,
    right: `from werkzeug.utils import secure_filename
${FLASK}    with open("files/" + secure_filename(request.args["name"])) as file:
        return file.read()`,
    words: {
      what: "says which file is opened",
      attack: "With `../` an attacker reads or overwrites files outside the folder that is meant.",
      mend: "Take the name alone (secure_filename), or compare the resolved path with the folder.",
    },
  },
  {
    id: "python/request",
    title: "Server-side request forgery (SSRF)",
    cwe: 918,
    danger: "url",
    severity: "error",
    calls:
      "requests|httpx:..get|post|put|patch|delete|head|options|stream urllib.request:urlopen|urlretrieve|Request urllib:request.urlopen|request.urlretrieve|request.Request aiohttp:..get|post|put|patch|delete",
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
      "flask:redirect django.shortcuts:redirect django.http:HttpResponseRedirect|HttpResponsePermanentRedirect fastapi.responses|starlette.responses:RedirectResponse",
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
    id: "python/template",
    title: "Server-side template injection (SSTI)",
    cwe: 1336,
    danger: "template",
    severity: "error",
    calls:
      "flask:render_template_string jinja2:Template jinja2:..from_string django.template:Template mako.template:Template",
    wrong: `from flask import Flask, request, render_template_string
app = Flask(__name__)

@app.route("/hello/<name>")
def hello(name):
    return render_template_string("<h1>" + name + "</h1>")`,
    right: `from flask import Flask, request, render_template_string
app = Flask(__name__)

@app.route("/hello/<name>")
def hello(name):
    return render_template_string("<h1>{{ name }}</h1>", name=name)`,
    words: {
      what: "becomes a part of a template",
      attack: "An attacker who controls the input runs code in the template, and with that on the server.",
      mend: "Hand the value over as a variable of the template.",
    },
  },
  {
    id: "python/html",
    title: "Cross-site scripting (XSS)",
    cwe: 79,
    danger: "html",
    severity: "warning",
    calls:
      "markupsafe:Markup flask:Markup django.utils.safestring:mark_safe|SafeString django.http:HttpResponse fastapi.responses|starlette.responses:HTMLResponse",
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
    id: "python/deserialise",
    title: "Unsafe deserialization",
    cwe: 502,
    danger: "data",
    severity: "error",
    calls:
      "pickle|cPickle|dill|cloudpickle|marshal:load|loads pickle:Unpickler jsonpickle:decode yaml:unsafe_load|unsafe_load_all|full_load joblib:load",
    wrong: `import pickle
${FLASK}    return pickle.loads(request.get_data())`,
    right: `import json
${FLASK}    return json.loads(request.get_data())`,
    words: {
      what: "is deserialized",
      attack: "An attacker who controls the input decides which objects are made, and runs code with that.",
      mend: "Read it as JSON.",
    },
  },
  {
    id: "python/deserialise",
    title: "Unsafe deserialization",
    cwe: 502,
    danger: "data",
    severity: "error",
    calls: "yaml:load|load_all",
    unless: { text: /Loader\s*=\s*(?:yaml\.)?C?(?:Safe|Base)Loader|,\s*(?:yaml\.)?C?(?:Safe|Base)Loader/ },
    wrong: `import yaml
${FLASK}    return yaml.load(request.data, Loader=yaml.Loader)`,
    right: `import yaml
${FLASK}    return yaml.load(request.data, Loader=yaml.SafeLoader)`,
    words: {
      what: "is read as YAML that can make any object",
      attack: "An attacker who controls the input runs code on the server.",
      mend: "Read it by yaml.safe_load.",
    },
  },
  {
    id: "python/code",
    title: "Code injection",
    cwe: 95,
    danger: "code",
    severity: "error",
    calls: "eval exec compile __import__ importlib:import_module",
    wrong: `${FLASK}    return str(eval(request.args["sum"]))`,
    right: `import ast
${FLASK}    return str(ast.literal_eval(request.args["sum"]))`,
    words: {
      what: "is run as code",
      attack: "An attacker who controls the input runs code on the server.",
      mend: "Read it by ast.literal_eval or json.loads, or choose from a list of functions.",
    },
  },
];

const SETTINGS: readonly Setting[] = [
  {
    id: "python/written-secret",
    title: "Hard-coded session secret",
    cwe: 798,
    severity: "error",
    writes: "flask:Flask().secret_key|Flask().config.SECRET_KEY|Flask().config.JWT_SECRET_KEY",
    calls: "flask:Flask().config.update|Flask().config.from_mapping",
    when: {
      any: [
        { argument: 0, written: true },
        { argument: -1, option: "SECRET_KEY", written: true },
        { argument: -1, option: "JWT_SECRET_KEY", written: true },
      ],
    },
    wrong: `from flask import Flask
app = Flask(__name__)
app.config["SECRET_KEY"] = "harbour-lights-26"`,
    right: `import os
from flask import Flask
app = Flask(__name__)
app.config["SECRET_KEY"] = os.environ["SECRET_KEY"]`,
    words: {
      what: "The code holds the key that signs sessions.",
      attack: "Anyone who can read the code can sign a session and be any user.",
      mend: "Read the key from the environment, and replace it: it is in the history.",
    },
  },
  {
    id: "python/debug",
    title: "Debug mode enabled",
    cwe: 489,
    severity: "warning",
    calls: "flask:Flask().run *.run",
    on: /^(?:app|application|server)$/,
    when: { text: /[(,]\s*debug\s*=\s*True\b/ },
    wrong: `from flask import Flask
app = Flask(__name__)
app.run(host="0.0.0.0", debug=True)`,
    right: `from flask import Flask
app = Flask(__name__)
app.run(host="0.0.0.0")`,
    words: {
      what: "The debugger of the development server is on.",
      attack: "An attacker who reaches it and causes an error gets a console that runs Python.",
      mend: "Leave debug out, and switch it on by the command line where it is needed.",
    },
  },
  {
    id: "python/jwt-unverified",
    title: "JWT signature not verified",
    cwe: 347,
    severity: "error",
    calls: "jwt:decode jose.jwt:decode jose:jwt.decode",
    when: { text: /verify_signature["']?\s*:\s*False|\bverify\s*=\s*False|algorithms?\s*=\s*\[?\s*["']none["']/i },
    wrong: `import jwt
claims = jwt.decode(token, options={"verify_signature": False})`,
    right: `import jwt
claims = jwt.decode(token, key, algorithms=["RS256"])`,
    words: {
      what: "The signature of a token is not checked.",
      attack: "Anyone can write a token that names any user.",
      mend: "Give the key and the algorithms, and leave the check on.",
    },
  },
  {
    id: "python/certificate-unverified",
    title: "Certificate verification disabled",
    cwe: 295,
    severity: "warning",
    calls:
      "requests|httpx:..get|post|put|patch|delete|head|request|Session|Client|AsyncClient ssl:_create_unverified_context",
    when: { text: /\bverify\s*=\s*False\b|_create_unverified_context/ },
    wrong: `import requests
requests.post("https://api.shop.internal/", json={}, verify=False)`,
    right: `import requests
requests.post("https://api.shop.internal/", json={}, timeout=5)`,
    words: {
      what: "The certificate of the other side is not checked.",
      attack: "An attacker on the network can read and change what is sent.",
      mend: "Leave the check on; give the authority of an own certificate by verify.",
    },
  },
];

/** The commonest ways into programs in Flask, Django and FastAPI, beside what ruff finds. */
export const PYTHON_RULES: RuleTables = {
  sources: SOURCES,
  cleaners: [...CLEANERS],
  handlers: [],
  sinks: SINKS,
  settings: SETTINGS,
  anyReceiver: true,
};
