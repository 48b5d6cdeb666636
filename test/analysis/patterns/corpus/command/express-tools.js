const { exec, execFile, spawn, execSync } = require("child_process");
const express = require("express");

const router = express.Router();

router.get("/ping", (req, res) => {
  // wrong: CWE-78 shell text with a query value
  exec("ping -c 1 " + req.query.host, (err, stdout) => res.send(stdout));
});

router.get("/ping-file", (req, res) => {
  // right: CWE-78 no shell, argument after the separator
  execFile("ping", ["-c", "1", "--", req.query.host], (err, stdout) => res.send(stdout));
});

router.get("/lookup", (req, res) => {
  const { name } = req.query;
  // wrong: CWE-78 template in execSync
  const out = execSync(`nslookup ${name}`).toString();
  res.send(out);
});

router.get("/lookup-checked", (req, res) => {
  const { name } = req.query;
  if (!/^[a-z0-9][a-z0-9.-]{0,100}$/i.test(name)) return res.sendStatus(400);
  // right: CWE-78 anchored pattern without shell characters
  const out = execSync(`nslookup ${name}`).toString();
  res.send(out);
});

router.get("/lookup-unanchored", (req, res) => {
  const { name } = req.query;
  if (!/[a-z0-9.-]+/i.test(name)) return res.sendStatus(400);
  // wrong: CWE-78 any text with one letter passes
  const out = execSync(`nslookup ${name}`).toString();
  res.send(out);
});

router.get("/list", (req, res) => {
  // wrong: CWE-78 spawn with a shell
  const child = spawn("ls", ["-l", req.query.folder], { shell: true });
  child.stdout.pipe(res);
});

router.get("/list-direct", (req, res) => {
  // right: CWE-78 spawn without a shell
  const child = spawn("ls", ["-l", "--", String(req.query.folder)]);
  child.stdout.pipe(res);
});

router.get("/uptime", (req, res) => {
  // right: CWE-78 constant command
  exec("uptime", (err, stdout) => res.send(stdout));
});

router.post("/run", (req, res) => {
  // wrong: CWE-78 the program itself comes from the body
  const child = spawn(req.body.program, req.body.args);
  child.on("close", (code) => res.json({ code }));
});

const PROGRAMS = { disk: "df -h", memory: "free -m" };

router.get("/status/:what", (req, res) => {
  if (!Object.hasOwn(PROGRAMS, req.params.what)) return res.sendStatus(404);
  // right: CWE-78 one of two constants
  exec(PROGRAMS[req.params.what], (err, stdout) => res.send(stdout));
});

module.exports = router;
