import type { Setting, Sink } from "../row.ts";

/** Of whatever a shell runs. */
const IN_SHELL: Sink["words"] = {
  what: "goes into a command that a shell runs",
  attack: "`;id` behind it runs `id` on the server, and so does any other program.",
  mend: 'Run the program itself with a list of arguments: `execFile(program, ["--", value])`.',
};

/** Everything that a client sent, as it came. */
const WHOLE =
  /^@(?:request|context)(?:~[a-z\d]+)?\.(?:request\.|req\.)?(?:query|body|params|cookies|payload)(?:\(\))?$/;
const IN_PAGE =
  "evaluate|evaluateHandle|evaluateOnNewDocument|addScriptTag|addInitScript|$eval|$$eval|executeScript|executeAsyncScript|executeJavaScript|insertCSS|wait|waitForFunction|sendCommand";

/** Input that is run: by a shell, as code, as a template; programs whose walls are taken away. */
export const PROGRAM_SINKS: readonly Sink[] = [
  {
    id: "program/options",
    title: "Argument injection",
    cwe: 88,
    danger: "shell",
    severity: "warning",
    from: "source",
    calls:
      "child_process|cross-spawn:spawn|spawnSync|execFile|execFileSync execa:|execa|execaSync cross-spawn: *.spawn|spawnSync|execFile|execFileSync",
    argument: 1,
    when: {
      argument: 0,
      is: [/^(?:git|hg|svn|ssh|scp|rsync|curl|wget|tar|zip|find|ffmpeg|convert|magick|npm|node|docker)$/],
    },
    unless: { argument: 1, reads: /["']--["']/ },
    wrong: `const { spawn } = require("node:child_process");
app.get("/", (req, res) => { spawn("git", ["clone", req.query.address]); });`,
    right: `const { spawn } = require("node:child_process");
app.get("/", (req, res) => { spawn("git", ["clone", "--", req.query.address]); });`,
    words: {
      what: "is an argument of a program that has dangerous options",
      attack: "A value that begins with `-` is taken as one: `--upload-pack=id` lets git run `id`.",
      mend: 'Write `"--"` before it, and refuse what begins with `-`.',
    },
  },
  {
    id: "program/shell",
    title: "Command injection",
    cwe: 78,
    danger: "shell",
    severity: "error",
    calls:
      "child_process|child_process/promises|mz/child_process|child-process-promise|promisify-child-process:exec|execSync shelljs:exec|exec ?exec ?execSync execa:command|commandSync|execaCommand|execaCommandSync|execa.command node-cmd:run|get|runSync zx:$ bun:$ node-ssh:..execCommand ssh2:..exec",
    wrong: `const { exec } = require("node:child_process");
app.get("/", (req, res) => {
  exec("ls " + req.query.dir, () => res.end());
});`,
    right: `const { execFile } = require("node:child_process");
app.get("/", (req, res) => {
  execFile("ls", ["--", req.query.dir], () => res.end());
});`,
    words: IN_SHELL,
  },
  {
    id: "program/shell",
    title: "Command injection",
    cwe: 78,
    danger: "shell",
    severity: "error",
    calls: "*.exec|execSync|execCommand",
    on: /^(?:child_process|childProcess|cp|child|shell|shelljs|sh|proc|ssh|sshClient|\w*[pP]rocess)$/,
    wrong: `app.get("/", (req, res) => { shell.exec("ping " + req.query.host); });`,
    right: `app.get("/", (req, res) => { shell.exec("ping localhost"); });`,
    words: IN_SHELL,
  },
  {
    id: "program/which",
    title: "Command injection",
    cwe: 78,
    danger: "resource",
    severity: "error",
    calls:
      "child_process|cross-spawn|mz/child_process:spawn|spawnSync|execFile|execFileSync|fork|sync execa:|execa|execaSync|sync|node cross-spawn: ?spawn ?spawnSync ?execFile Deno.Command Deno.run Bun.spawn|spawnSync *.spawn|spawnSync|execFile|execFileSync worker_threads:Worker",
    argument: 0,
    wrong: `const { spawn } = require("node:child_process");
app.get("/", (req, res) => { spawn(req.query.tool, ["--version"]); });`,
    right: `const { spawn } = require("node:child_process");
const TOOLS = { a: "/usr/bin/a" };
app.get("/", (req, res) => { spawn(TOOLS[req.query.tool], ["--version"]); });`,
    words: {
      what: "names the program that is run",
      attack: "An attacker who controls the input runs any program of the machine.",
      mend: "Choose the program from a list in the code.",
    },
  },
  {
    id: "program/shell-arguments",
    title: "Command injection",
    fix: { without: true },
    cwe: 78,
    danger: "shell",
    severity: "error",
    calls:
      "child_process|cross-spawn:spawn|spawnSync|execFile|execFileSync execa:|execa|execaSync cross-spawn: ?spawn ?spawnSync *.spawn|spawnSync|execFile|execFileSync",
    argument: { from: 1 },
    when: {
      any: [
        { argument: -1, option: "shell", isNot: [false, null] },
        { argument: 0, is: [/(?:^|[/\\])(?:ba|da|z|k)?sh$|^(?:cmd|powershell)(?:\.exe)?$/] },
      ],
    },
    wrong: `const { spawn } = require("node:child_process");
app.get("/", (req, res) => { spawn("ls", [req.query.dir], { shell: true }); });`,
    right: `const { spawn } = require("node:child_process");
app.get("/", (req, res) => { spawn("ls", ["--", req.query.dir]); });`,
    words: {
      what: "goes into a command that a shell runs",
      attack: "`;id` in it runs `id` on the server, and so does any other program.",
      mend: "Leave `shell` out: the program gets the list as it is.",
    },
  },
  {
    id: "program/code",
    title: "Code injection",
    cwe: 94,
    danger: "code",
    severity: "error",
    calls: `eval execScript globalThis.eval vm:runInThisContext|runInNewContext|runInContext|compileFunction|Script *!.runInThisContext|runInNewContext|runInContext vm2:..run *.runInVm safe-eval: static-eval: notevil: eval: node-eval: require-from-string: isolated-vm:..compileScript|eval|evalClosure vm:SourceTextModule
      expression-eval:eval mathjs:eval|evaluate new-function: interpreter: jquery:globalEval ?$eval *.$eval|$evalAsync|globalEval sandbox:..run execa:execaNode vm:..SourceTextModule`,
    wrong: `app.get("/", (req, res) => { res.json(eval(req.query.sum)); });`,
    right: `app.get("/", (req, res) => { res.json(eval("1 + 1")); });`,
    words: {
      what: "is run as code",
      attack: "An attacker who controls the input runs code with the rights of this program.",
      mend: "Read it as data (`JSON.parse`), or choose from functions in the code.",
    },
  },
  {
    id: "program/code",
    title: "Code injection",
    cwe: 94,
    danger: "code",
    severity: "error",
    calls: "Function",
    argument: "all",
    wrong: `app.get("/", (req, res) => { const rule = new Function("order", "return " + req.query.rule); });`,
    right: `app.get("/", (req, res) => { const rule = new Function("order", "return 1"); });`,
    words: {
      what: "becomes the text of a function",
      attack: "An attacker who controls the input runs code with the rights of this program.",
      mend: "Read it as data, or choose from functions in the code.",
    },
  },
  {
    id: "program/code",
    title: "Code injection",
    cwe: 94,
    danger: "code",
    severity: "error",
    from: "source",
    writes: "*.src|text|textContent|innerText|innerHTML",
    on: /[sS]cript(?:El|Element|Tag)?$/,
    calls: "jquery:getScript|globalEval importScripts",
    wrong: `script.src = new URLSearchParams(location.search).get("plugin");`,
    right: `script.src = "/plugin.js";`,
    words: {
      what: "is run as a script of the page",
      attack: "A link runs code in the name of the user who follows it.",
      mend: "Choose the script from a list in the code.",
    },
  },
  {
    id: "program/code",
    title: "Code injection",
    cwe: 94,
    danger: "code",
    severity: "error",
    from: "source",
    writes: "document.createElement().src|text|textContent|innerText|innerHTML",
    when: { text: /^[\w.]{0,60}[sS]cript\w{0,20}\./ },
    wrong: `const script = document.createElement("script");
script.src = new URLSearchParams(location.search).get("plugin");`,
    right: `const script = document.createElement("script");
script.src = "/plugin.js";`,
    words: {
      what: "is run as a script of the page",
      attack: "An attacker who controls the input runs scripts in the name of the user.",
      mend: "Take the address from a list in the code.",
    },
  },
  {
    id: "program/code",
    title: "Code injection",
    cwe: 94,
    danger: "code",
    severity: "error",
    calls: "setTimeout setInterval setImmediate *.setTimeout|setInterval",
    on: /^(?:window|self|globalThis|global|top|parent|_global|\$window)$/,
    when: { argument: 0, not: { argument: 0, reads: /=>|^\s*(?:async\s+)?function\b/ } },
    joined: true,
    wrong: `app.get("/", (req, res) => { setTimeout("run('" + req.query.what + "')", 10); });`,
    right: `app.get("/", (req, res) => { setTimeout(() => run(req.query.what), 10); });`,
    words: {
      what: "is run as code by a timer",
      attack: "An attacker who controls the input runs code with the rights of this program.",
      mend: "Hand over a function.",
    },
  },
  {
    id: "program/page-code",
    title: "Code injection in a driven browser",
    cwe: 94,
    danger: "code",
    severity: "error",
    calls: `puppeteer|puppeteer-core|puppeteer-extra|playwright|playwright-core|playwright-extra|@playwright/test|selenium-webdriver|webdriverio|electron|nightmare:..${IN_PAGE} *.${IN_PAGE}`,
    on: /^(?:page|\w*Page|frame|driver|browser|client|tab|webContents|win|window|mainWindow|webview|contents|context|chrome|nightmare|newContext|newPage)$/,
    argument: 0,
    unless: { argument: 0, reads: /^\s*(?:async\s+)?(?:function\b|\(?[\w\s,{}]*\)?\s*=>)/ },
    wrong: `app.get("/", async (req, res) => { await page.evaluate("run('" + req.query.what + "')"); });`,
    right: `app.get("/", async (req, res) => { await page.evaluate((what) => run(what), req.query.what); });`,
    words: {
      what: "is run as code in a page of a browser that the server drives",
      attack: "It reads what that browser may read, on the inner network too.",
      mend: "Hand over a function, and the value as its argument.",
    },
  },
  {
    id: "program/module",
    title: "Dynamic import of a path from input",
    cwe: 829,
    danger: "path",
    severity: "error",
    calls: "require import import-fresh: require.resolve module:..require *.require",
    on: /.*/,
    // Only a bundler knows such a name: it takes the files that there are when it builds.
    unless: { argument: 0, reads: /^[`"'][@~#]\// },
    wrong: `app.get("/", (req, res) => { const plugin = require("./plugins/" + req.query.name); });`,
    right: `app.get("/", (req, res) => { const plugin = require("./plugins/list"); });`,
    words: {
      what: "names the module that is loaded",
      attack: "`../` in it loads and runs any file of the machine.",
      mend: "Choose the module from a list in the code.",
    },
  },
  {
    id: "program/template",
    title: "Server-side template injection (SSTI)",
    cwe: 1336,
    danger: "template",
    severity: "error",
    calls: `ejs|pug|jade|handlebars|nunjucks|mustache|dot|doT|lodash.template|art-template|eta|squirrelly|swig|hogan.js|marko|twig|liquidjs|dustjs-linkedin|underscore|velocityjs:..render|compile|renderString|template|renderStringAsync|parseAndRender|precompile|from|compileClient|parse
      lodash|underscore:template lodash.template: _.template Handlebars.compile|precompile ejs.render|compile pug.render|compile nunjucks.renderString Mustache.render Vue.compile vue:compile doT.template|compile|process dot:template|compile|process lodash:_.template`,
    argument: 0,
    unless: { callee: /(?:compile|template|precompile)\(\)\.|(?:md|markdown)/i },
    wrong: `import ejs from "ejs";
app.get("/", (req, res) => { res.send(ejs.render("<p>" + req.query.name + "</p>")); });`,
    right: `import ejs from "ejs";
app.get("/", (req, res) => { res.send(ejs.render("<p><%= name %></p>", { name: req.query.name })); });`,
    words: {
      what: "becomes part of a template before it is compiled",
      attack: "A template runs code: an attacker who controls the input runs code on the server.",
      mend: "Keep the template constant and hand the value over as data.",
    },
  },
  {
    id: "program/template-options",
    title: "Server-side template injection (SSTI)",
    cwe: 1336,
    danger: "template",
    severity: "error",
    from: "source",
    calls: "@response..render *.render",
    on: /^(?:res|response|reply|ctx|context)$/,
    argument: 1,
    when: { argument: 1, path: WHOLE },
    wrong: `app.get("/", (req, res) => { res.render("page", req.query); });`,
    right: `app.get("/", (req, res) => { res.render("page", { name: req.query.name }); });`,
    words: {
      what: "is handed to the template engine whole",
      attack:
        "Engines read options out of the same object (EJS: `settings[view options][escapeFunction]`), by which code is run.",
      mend: "Name each value: `{ name: req.query.name }`.",
    },
  },
];

export const PROGRAM_SETTINGS: readonly Setting[] = [
  {
    id: "program/vm2",
    title: "Unmaintained sandbox (vm2)",
    cwe: 1104,
    severity: "warning",
    calls: "vm2:VM|NodeVM",
    wrong: `import { VM } from "vm2";
new VM().run(code);`,
    right: `import ivm from "isolated-vm";
new ivm.Isolate({ memoryLimit: 8 });`,
    words: {
      what: "vm2 is no longer kept and its walls have known holes.",
      attack: "Code that runs in it gets out and has the rights of this program.",
      mend: "Run foreign code in another process, or with `isolated-vm`.",
    },
  },
  {
    id: "electron/node-in-page",
    title: "Node.js access in an Electron page",
    fix: { without: true },
    cwe: 94,
    severity: "error",
    properties:
      "nodeIntegration nodeIntegrationInWorker nodeIntegrationInSubFrames allowRunningInsecureContent experimentalFeatures enableRemoteModule webviewTag",
    when: { argument: 0, is: [true] },
    wrong: `const win = new BrowserWindow({ webPreferences: { nodeIntegration: true } });`,
    right: `const win = new BrowserWindow({ webPreferences: { nodeIntegration: false, contextIsolation: true } });`,
    words: {
      what: "Pages of this window get what only the program should have.",
      attack: "One injected script runs programs on the machine.",
      mend: "Leave it out, and hand over single functions by a preload script.",
    },
  },
  {
    id: "electron/no-walls",
    title: "Electron isolation disabled",
    cwe: 693,
    severity: "error",
    properties: "contextIsolation webSecurity sandbox",
    when: { all: [{ argument: 0, is: [false] }, { file: /electron|BrowserWindow|webPreferences/ }] },
    fix: { value: "true" },
    wrong: `const win = new BrowserWindow({ webPreferences: { contextIsolation: false } });`,
    right: `const win = new BrowserWindow({ webPreferences: { contextIsolation: true } });`,
    words: {
      what: "A wall between the page and the program is switched off.",
      attack: "One injected script reaches the program, or other sites' data.",
      mend: "Leave it on.",
    },
  },
  {
    id: "browser/no-sandbox",
    title: "Browser sandbox disabled",
    fix: { replace: [/["'`]--(?:no-sandbox|disable-web-security|disable-setuid-sandbox)["'`],?\s*/g, ""] },
    cwe: 693,
    severity: "warning",
    calls:
      "puppeteer|puppeteer-core|puppeteer-extra|playwright|playwright-core|playwright-extra|chrome-launcher:..launch|launchPersistentContext *.launch",
    when: {
      any: [
        { argument: 0, option: "args", is: ["--no-sandbox", "--disable-web-security", "--disable-setuid-sandbox"] },
        { argument: 0, option: "chromiumSandbox", is: [false] },
      ],
    },
    wrong: `const browser = await puppeteer.launch({ args: ["--no-sandbox"] });`,
    right: `const browser = await puppeteer.launch({ args: [] });`,
    words: {
      what: "The browser runs without its walls.",
      attack: "A page that breaks the browser has the rights of this program.",
      mend: "Run it as a user of its own and leave the sandbox on.",
    },
  },
  {
    id: "deno/every-right",
    title: "Deno run with all permissions",
    cwe: 250,
    severity: "warning",
    calls: "Deno.run|Command",
    when: {
      any: [
        { argument: 1, option: "args", is: ["-A", "--allow-all", "--allow-run"] },
        { argument: 0, option: "cmd", is: ["-A", "--allow-all", "--allow-run"] },
      ],
    },
    wrong: `new Deno.Command("deno", { args: ["run", "--allow-all", "job.ts"] });`,
    right: `new Deno.Command("deno", { args: ["run", "--allow-read=.", "job.ts"] });`,
    words: {
      what: "A program is started that may do everything.",
      attack: "One fault in it opens the machine.",
      mend: "Name the rights that it needs.",
    },
  },
];
