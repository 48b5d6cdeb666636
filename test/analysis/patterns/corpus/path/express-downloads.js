const express = require("express");
const fs = require("fs");
const path = require("path");
const sanitize = require("sanitize-filename");

const router = express.Router();
const ROOT = path.resolve(__dirname, "../files");

router.get("/raw", (req, res) => {
  // wrong: CWE-22 file name of the query
  fs.readFile("./files/" + req.query.name, (err, data) => (err ? res.sendStatus(404) : res.end(data)));
});

router.get("/joined", (req, res) => {
  // wrong: CWE-22 join follows dots
  fs.readFile(path.join(ROOT, req.query.name), (err, data) => (err ? res.sendStatus(404) : res.end(data)));
});

router.get("/base", (req, res) => {
  // right: CWE-22 basename leaves no folder
  fs.readFile(path.join(ROOT, path.basename(req.query.name)), (err, data) => (err ? res.sendStatus(404) : res.end(data)));
});

router.get("/resolved", (req, res) => {
  const file = path.resolve(ROOT, req.query.name);
  if (!file.startsWith(ROOT + path.sep)) return res.sendStatus(403);
  // right: CWE-22 prefix with the separator is checked
  fs.createReadStream(file).pipe(res);
});

router.get("/prefix", (req, res) => {
  const file = path.join("/srv/uploads", req.query.name);
  if (!req.query.name.startsWith("public")) return res.sendStatus(403);
  // wrong: CWE-22 prefix of the name, not of the path
  fs.createReadStream(file).pipe(res);
});

router.get("/relative", (req, res) => {
  const file = path.resolve(ROOT, String(req.query.name));
  const relative = path.relative(ROOT, file);
  if (relative.startsWith("..") || path.isAbsolute(relative)) {
    return res.status(403).end();
  }
  // right: CWE-22 test of path.relative
  res.sendFile(file);
});

router.get("/replace", (req, res) => {
  const name = req.query.name.replace("../", "");
  // wrong: CWE-22 only the first dots are taken out
  res.sendFile(path.join(ROOT, name));
});

router.get("/root/:name", (req, res) => {
  // right: CWE-22 sendFile stays below its root
  res.sendFile(req.params.name, { root: ROOT });
});

router.get("/download", (req, res) => {
  // wrong: CWE-22 download of a foreign path
  res.download(req.query.file);
});

router.get("/sanitised", (req, res) => {
  // right: CWE-22 sanitize-filename
  res.download(path.join(ROOT, sanitize(req.query.file)));
});

router.delete("/upload", (req, res) => {
  // wrong: CWE-22 removes a path of the body
  fs.unlinkSync(`${ROOT}/${req.body.file}`);
  res.sendStatus(204);
});

router.get("/number/:id", (req, res) => {
  const id = Number.parseInt(req.params.id, 10);
  // right: CWE-22 a number in the name
  fs.readFile(path.join(ROOT, `${id}.pdf`), (err, data) => (err ? res.sendStatus(404) : res.end(data)));
});

module.exports = router;
