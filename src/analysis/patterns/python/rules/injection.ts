import type { Sink } from "../../row.ts";
import { FLASK } from "./example.ts";

/** The program itself comes from outside: `[request.args["tool"], "-v"]`, `text.split()`. In `["ls", folder]` it does not. */
const FIRST =
  /^\[\s{0,9}(?:\w{1,40}\.)?request\b|^(?:\w{1,40}\.)?request\b|^(?:shlex\.split\(\s{0,9}\w|\w{1,60}\.split\()/;

/** Input that becomes a part of a query, a command, a template or code. */
export const INJECTION: readonly Sink[] = [
  {
    id: "python/sql",
    title: "SQL injection",
    cwe: 89,
    danger: "sql",
    severity: "error",
    joined: true,
    calls:
      "sqlite3|psycopg2|psycopg|pymysql|MySQLdb|mysql.connector|asyncpg|aiosqlite|sqlalchemy|sqlalchemy.orm|flask_sqlalchemy|django.db|pymssql|pyodbc|cx_Oracle|oracledb|duckdb:..execute|executemany|executescript|exec_driver_sql|fetch|fetchrow *.execute|executemany|executescript|raw|exec_driver_sql|read_sql sqlalchemy|sqlalchemy.sql|sqlalchemy.sql.expression:text|literal_column|text_clause django.db.models.expressions:RawSQL pandas:read_sql",
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
    id: "python/sql",
    title: "SQL injection",
    cwe: 89,
    danger: "sql",
    severity: "error",
    joined: true,
    calls: "django.contrib.auth.models|django.db.models:..extra *.extra",
    argument: { at: 0, options: "select where tables order_by" },
    wrong: `from django.contrib.auth.models import User

def people(request):
    return list(User.objects.extra(where=["name = '" + request.GET["name"] + "'"]))`,
    right: `from django.contrib.auth.models import User

def people(request):
    return list(User.objects.extra(where=["name = %s"], params=[request.GET["name"]]))`,
    words: {
      what: "goes into the text of an SQL query",
      attack: "An attacker who controls the input reads, changes or deletes other people's rows.",
      mend: "Leave the value out of the text and hand it over in `params`.",
    },
  },
  {
    id: "python/shell",
    title: "Command injection",
    cwe: 78,
    danger: "shell",
    severity: "error",
    calls:
      "os:system|popen|popen2|popen3 subprocess:getoutput|getstatusoutput asyncio:create_subprocess_shell asyncio.subprocess:create_subprocess_shell commands:getoutput|getstatusoutput pty:spawn paramiko:..exec_command fabric:..run|sudo invoke:..run *.exec_command",
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
    id: "python/deserialise",
    title: "Unsafe deserialization",
    cwe: 502,
    danger: "data",
    severity: "error",
    calls:
      "pickle|cPickle|_pickle|dill|cloudpickle|marshal:load|loads pickle|_pickle|dill:Unpickler jsonpickle:decode|loads yaml:unsafe_load|unsafe_load_all|full_load|full_load_all joblib:load shelve:open pandas:read_pickle sklearn.externals.joblib:load",
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
    calls:
      "eval exec compile __import__ builtins:eval|exec|compile|__import__ importlib:import_module|__import__ code:interact pandas:eval numexpr:evaluate *.runsource|runcode",
    wrong: `${FLASK}    return str(eval(request.args["sum"]))`,
    right: `import ast
${FLASK}    return str(ast.literal_eval(request.args["sum"]))`,
    words: {
      what: "is run as code",
      attack: "An attacker who controls the input runs code on the server.",
      mend: "Read it by ast.literal_eval or json.loads, or choose from a list of functions.",
    },
  },
  {
    id: "python/program",
    title: "Command injection",
    cwe: 78,
    danger: "shell",
    severity: "error",
    from: "source",
    calls:
      "os:execl|execle|execlp|execlpe|execv|execve|execvp|execvpe|startfile|posix_spawn subprocess:run|call|check_call|check_output|Popen asyncio:create_subprocess_exec",
    unless: {
      any: [
        { argument: 1, option: "shell", is: [true] },
        {
          all: [
            { text: /^(?:\w{1,40}\.)?(?:run|call|check_call|check_output|Popen)\(/ },
            { not: { argument: 0, reads: FIRST } },
          ],
        },
      ],
    },
    argument: 0,
    wrong: `import subprocess
${FLASK}    return subprocess.check_output(request.args["command"].split())`,
    right: `import subprocess
${FLASK}    return subprocess.check_output(["ls", "--", request.args["folder"]])`,
    words: {
      what: "says which program is started",
      attack: "An attacker who controls the input runs any program of the machine.",
      mend: "Write the program into the code, and hand the input over as an argument behind `--`.",
    },
  },
  {
    id: "python/deserialise",
    title: "Unsafe deserialization",
    cwe: 502,
    danger: "data",
    severity: "warning",
    from: "source",
    calls: "torch:load numpy:load",
    when: {
      any: [
        { all: [{ callee: /^torch/ }, { not: { text: /weights_only\s{0,9}=\s{0,9}True/ } }] },
        { text: /allow_pickle\s{0,9}=\s{0,9}True/ },
      ],
    },
    wrong: `import numpy
${FLASK}    return str(numpy.load(request.files["rows"], allow_pickle=True))`,
    right: `import numpy
${FLASK}    return {"rows": len(numpy.load(request.files["rows"]))}`,
    words: {
      what: "is deserialized",
      attack: "An attacker who controls the input decides which objects are made, and runs code with that.",
      mend: "Load data only: `allow_pickle=False`, `weights_only=True`.",
    },
  },
];
