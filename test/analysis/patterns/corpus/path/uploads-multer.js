const express = require("express");
const multer = require("multer");
const path = require("path");
const fs = require("fs");
const { randomUUID } = require("crypto");

const app = express();

const named = multer.diskStorage({
  destination: "uploads/",
  filename(req, file, done) {
    // right: CWE-22 random name with the extension alone
    done(null, randomUUID() + path.extname(file.originalname));
  },
});

const upload = multer({ storage: named, limits: { fileSize: 2_000_000, files: 1 } });
const memory = multer({ storage: multer.memoryStorage(), limits: { fileSize: 2_000_000 } });

app.post("/avatar", upload.single("avatar"), (req, res) => {
  // right: CWE-22 name that multer generated
  fs.renameSync(req.file.path, path.join("avatars", req.file.filename));
  res.sendStatus(201);
});

app.post("/document", memory.single("document"), (req, res) => {
  // wrong: CWE-22 original name of the client
  fs.writeFileSync("documents/" + req.file.originalname, req.file.buffer);
  res.sendStatus(201);
});

app.post("/document-base", memory.single("document"), (req, res) => {
  // right: CWE-22 only the last part of the original name
  fs.writeFileSync(path.join("documents", path.basename(req.file.originalname)), req.file.buffer);
  res.sendStatus(201);
});

app.post("/into", memory.single("document"), (req, res) => {
  const folder = path.join("documents", req.body.folder);
  // wrong: CWE-22 folder of the form
  fs.mkdirSync(folder, { recursive: true });
  res.sendStatus(201);
});

app.post("/copy", (req, res) => {
  const { from } = req.query;
  // wrong: CWE-22 source of a copy
  fs.copyFileSync(path.join("documents", from), path.join("public", randomUUID()));
  res.sendStatus(201);
});

app.use("/static", express.static(path.join(__dirname, "public")));

app.get("/theme/:theme", (req, res) => {
  const theme = ["dark", "light"].includes(req.params.theme) ? req.params.theme : "light";
  // right: CWE-22 one of two names
  res.sendFile(path.join(__dirname, "themes", theme + ".css"));
});

app.get("/view/:page", (req, res) => {
  // wrong: CWE-22 view name from the path
  res.render("pages/" + req.params["page"]);
});

app.get("/about", (req, res) => {
  // right: CWE-22 constant view
  res.render("pages/about", { q: req.query.q });
});

module.exports = app;
