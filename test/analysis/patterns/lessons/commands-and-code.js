// Commands and code, the way a course shows them.
const cp = require("child_process");
const vm = require("vm");

function listFiles(folder) {
  // wrong: CWE-78
  cp.exec("ls -l " + folder, (err, out) => console.log(out));
}

function listFilesWell(folder) {
  // right: CWE-78
  cp.execFile("ls", ["-l", "--", folder], (err, out) => console.log(out));
}

function archive(name, done) {
  const { spawn } = require("child_process");
  // wrong: CWE-78
  const tar = spawn("tar", ["czf", name], { shell: true });
  tar.on("close", done);
}

function archiveWell(name, done) {
  const { spawn } = require("child_process");
  // right: CWE-78
  const tar = spawn("tar", ["czf", "backup.tgz", "--", name], { shell: false });
  tar.on("close", done);
}

function shellOut(userInput) {
  // wrong: CWE-78
  const child = cp.spawn("sh", ["-c", "convert " + userInput]);
  return child;
}

function shellOutFixed() {
  // right: CWE-78
  const child = cp.spawn("sh", ["-c", "uptime | tail -1"]);
  return child;
}

function version() {
  // right: CWE-78
  return cp.execSync("git rev-parse HEAD").toString();
}

function ping(req, res) {
  const host = req.body.host;
  // wrong: CWE-78
  cp.execSync(`ping -c 1 ${host}`);
  res.end();
}

function pingWell(req, res) {
  const host = req.body.host;
  if (!/^[a-z0-9.-]+$/.test(host)) return res.status(400).end();
  // right: CWE-78
  cp.execSync(`ping -c 1 ${host}`);
  res.end();
}

exports.handler = async (event) => {
  // wrong: CWE-78
  cp.exec(`convert /tmp/${event.file} /tmp/out.png`);
  // right: CWE-78
  cp.exec("convert /tmp/in.png /tmp/out.png");
  // wrong: CWE-95
  eval(event.body);
  // wrong: CWE-95
  const sum = new Function("return " + event.expression)();
  // right: CWE-95
  const one = new Function("return 1")();
  return { sum, one };
};

app.get("/calc", function (req, res) {
  // wrong: CWE-95
  res.send({ value: eval(req.query.formula) });
  // right: CWE-95
  res.send({ value: eval("1 + 1") });
});

app.post("/run", (req, res) => {
  const context = {};
  // wrong: CWE-94
  vm.runInNewContext(req.body.script, context);
  // wrong: CWE-94
  const script = new vm.Script("x = " + req.body.value);
  // wrong: CWE-94
  vm.runInThisContext(req.query.code);
  // right: CWE-94
  vm.runInNewContext("a + 1", { a: Number(req.body.a) });
  // wrong: CWE-94
  const compiled = vm.compileFunction(req.body.source, ["a"]);
  res.json(context);
});

function sandboxed(input) {
  const { VM } = require("vm2");
  const box = new VM({ timeout: 1000 });
  // wrong: CWE-94
  return box.run(input);
}

function sandboxedWell() {
  const { VM } = require("vm2");
  const box = new VM({ timeout: 1000 });
  // right: CWE-94
  return box.run("1 + 1");
}

app.get("/sandbox", (req, res) => {
  const Sandbox = require("sandbox");
  const s = new Sandbox();
  // wrong: CWE-94
  s.run("lookup(" + req.query.name + ")", (output) => res.send(output));
  // right: CWE-94
  s.run("lookup('a')", (output) => res.send(output));
});

function later(code) {
  // wrong: CWE-95
  setTimeout("refresh('" + code + "')", 1000);
  // right: CWE-95
  setTimeout(() => refresh(code), 1000);
  // wrong: CWE-95
  setInterval(`tick(${code})`, 50);
}

function plugin(name) {
  // wrong: CWE-95
  return require(name);
}

function pluginWell() {
  // right: CWE-95
  return require("./plugins/csv");
}

app.get("/plugin", async (req, res) => {
  // wrong: CWE-95
  const extra = await import(req.query.module);
  // right: CWE-95
  const fixed = await import("./extras/fixed.js");
  res.send(extra.default(fixed));
});

async function shelled(dir) {
  const shell = require("shelljs");
  // wrong: CWE-78
  shell.exec("du -sh " + dir);
  // right: CWE-78
  shell.exec("du -sh .", { silent: true });
  const { $ } = require("execa");
  // right: CWE-78
  await $`du -sh ${dir}`;
}

function dynamicCall(req, res) {
  const handlers = { list, show };
  // wrong: CWE-749
  handlers[req.params.action](req, res);
}
