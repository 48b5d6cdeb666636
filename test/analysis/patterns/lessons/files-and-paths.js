const fs = require("fs");
const path = require("path");
const express = require("express");
const app = express();

app.get("/file", (req, res) => {
  // wrong: CWE-22
  const target = path.join("/var/data", req.query.file);
  // wrong: CWE-22
  const other = path.resolve(__dirname, req.params.name);
  // right: CWE-22
  const safe = path.join("/var/data", path.basename(req.query.file));
  // wrong: CWE-22
  fs.readFile(req.query.file, (err, data) => res.send(data));
  // right: CWE-22
  fs.readFile("/etc/motd", (err, data) => res.send(data));
  // wrong: CWE-22
  res.sendFile("/var/data/" + req.params.name);
  // right: CWE-22
  res.sendFile(req.params.name, { root: path.join(__dirname, "public") });
  // wrong: CWE-22
  res.download(req.query.path);
  // right: CWE-22
  res.download("/var/data/report.pdf");
});

function readConfig(name) {
  // wrong: CWE-22
  return fs.readFileSync(name, "utf8");
}

function readConfigWell() {
  // right: CWE-22
  return fs.readFileSync(path.join(__dirname, "config.json"), "utf8");
}

function save(userName, data) {
  // wrong: CWE-22
  fs.writeFileSync("/home/" + userName + "/settings.json", data);
}

function resolveIn(dir, name) {
  // wrong: CWE-22
  return path.join(dir, name);
}

function resolveWell(dir, name) {
  const full = path.resolve(dir, name);
  // right: CWE-22
  if (!full.startsWith(path.resolve(dir) + path.sep)) throw new Error("outside");
  return full;
}

app.post("/upload", (req, res) => {
  const up = req.files.avatar;
  // wrong: CWE-22
  up.mv("/uploads/" + up.name, () => res.end());
  // right: CWE-22
  up.mv("/uploads/" + crypto.randomUUID(), () => res.end());
});

app.get("/unlink", async (req, res) => {
  const { unlink } = require("fs/promises");
  // wrong: CWE-22
  await unlink(`./tmp/${req.query.id}`);
  // right: CWE-22
  await unlink(`./tmp/${parseInt(req.query.id, 10)}`);
  res.end();
});

const AdmZip = require("adm-zip");
function unpack(buffer) {
  const zip = new AdmZip(buffer);
  for (const entry of zip.getEntries()) {
    // wrong: CWE-22
    fs.writeFileSync("/out/" + entry.entryName, entry.getData());
  }
  // right: CWE-22
  zip.extractAllTo("/out", false);
}

app.get("/stream", (req, res) => {
  // wrong: CWE-22
  fs.createReadStream("./videos/" + req.query.v).pipe(res);
});

app.get("/render", (req, res) => {
  // wrong: CWE-22
  res.render(req.query.view);
  // right: CWE-22
  res.render("index", { title: "Home" });
  // wrong: CWE-22
  res.render("views/" + req.params.page, { title: "Page" });
});

const multer = require("multer");
// wrong: CWE-770
const upload = multer({ dest: "uploads/" });
// right: CWE-770
const limited = multer({ dest: "uploads/", limits: { fileSize: 1_000_000, files: 1 } });

// wrong: CWE-732
fs.chmodSync("/var/data/secret.txt", 0o777);
// right: CWE-732
fs.chmodSync("/var/data/secret.txt", 0o600);
// wrong: CWE-732
fs.writeFileSync("/var/data/key.pem", key, { mode: 0o666 });
// wrong: CWE-548
app.use("/files", require("serve-index")("files"));
// right: CWE-548
app.use("/files", express.static("files", { dotfiles: "ignore" }));
// wrong: CWE-538
app.use(express.static(__dirname));
// wrong: CWE-538
app.use(express.static("public", { dotfiles: "allow" }));

module.exports = (req, res) => {
  const file = req.url;
  // wrong: CWE-22
  const body = fs.readFileSync("." + file);
  res.end(body);
};
