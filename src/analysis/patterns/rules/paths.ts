import type { Setting, Sink } from "../row.ts";

const FS =
  "readFile|readFileSync|createReadStream|writeFile|writeFileSync|createWriteStream|appendFile|appendFileSync|unlink|unlinkSync|rm|rmSync|rmdir|rmdirSync|readdir|readdirSync|open|openSync|copyFile|copyFileSync|cp|cpSync|rename|renameSync|mkdir|mkdirSync|truncate|chmod|chmodSync|chown|symlink|link|readlink|readJson|readJsonSync|readJSON|outputFile|outputFileSync|ensureFile|ensureDir|remove|removeSync|move|readTextFile|readTextFileSync|writeTextFile|writeTextFileSync";
/** They tell whether there is a file, and give nothing of what is in it. */
const FS_ASKING =
  "stat|statSync|lstat|lstatSync|access|accessSync|exists|existsSync|pathExists|pathExistsSync|realpath|realpathSync";
const WORDS = {
  what: "names a file of the server",
  attack: "`../` in it leads out of the folder: any file of the machine is read or written.",
  mend: "Take `path.basename` of it, or resolve it and refuse what does not begin with the folder and a separator.",
};

/** Input in paths of files. */
export const PATH_SINKS: readonly Sink[] = [
  {
    id: "path/view",
    title: "Path traversal",
    cwe: 22,
    danger: "path",
    severity: "warning",
    from: "source",
    calls: "@response..render *.render",
    on: /^(?:res|response|reply|ctx|context)$/,
    argument: 0,
    wrong: `app.get("/", (req, res) => { res.render("pages/" + req.params.page); });`,
    right: `app.get("/", (req, res) => { res.render("pages/home"); });`,
    words: {
      what: "names the template that is rendered",
      attack: "`../` in it leads to any file of the machine that the engine reads.",
      mend: "Choose the name from a list in the code.",
    },
  },
  {
    id: "path/moved-upload",
    title: "Path traversal in an upload",
    cwe: 22,
    danger: "path",
    severity: "error",
    from: "source",
    calls: "@request..mv *.mv",
    argument: 0,
    wrong: `app.post("/", (req, res) => { const { photo } = req.files; photo.mv("/data/" + photo.name); });`,
    right: `app.post("/", (req, res) => { const { photo } = req.files; photo.mv("/data/" + crypto.randomUUID()); });`,
    words: { ...WORDS, what: "says where the upload is written", mend: "Give the file a name of your own." },
  },
  {
    id: "path/asked",
    title: "Path traversal",
    cwe: 22,
    danger: "path",
    severity: "info",
    from: "source",
    calls: `fs|fs/promises|fs-extra|graceful-fs|mz/fs|memfs|original-fs:${FS_ASKING} fs|fs-extra|graceful-fs:promises.stat|promises.access *.${FS_ASKING}`,
    on: /^(?:fs|fsp|fse|fsPromises|promises|fsExtra|Deno|Bun|)$/,
    unlessReached: "path/file",
    wrong: `const fs = require("node:fs");
const path = require("node:path");
app.get("/", (req, res) => { res.json({ found: fs.existsSync(path.join("/data", req.query.name)) }); });`,
    right: `const fs = require("node:fs");
const path = require("node:path");
app.get("/", (req, res) => { res.json({ found: fs.existsSync(path.join("/data", path.basename(req.query.name))) }); });`,
    words: {
      what: "names a file of the server that is looked for",
      attack: "`../` in it leads out of the folder: an attacker learns which files the machine has.",
      mend: WORDS.mend,
    },
  },
  {
    id: "path/file",
    title: "Path traversal",
    cwe: 22,
    danger: "path",
    severity: "error",
    calls: `fs|fs/promises|fs-extra|graceful-fs|mz/fs|memfs|original-fs:${FS} fs|fs-extra|graceful-fs:promises.readFile|promises.writeFile|promises.unlink|promises.open|promises.readdir|promises.rm|promises.appendFile *.${FS.replaceAll("|open|", "|")} Deno.readTextFile|readTextFileSync|readFile|readFileSync|writeTextFile|writeFile|remove|open|readDir Bun.file|write
      send: serve-static:send jsonfile:readFile|readFileSync|writeFile load-json-file: glob: glob:glob|sync|globSync`,
    on: /^(?:fs|fsp|fse|fsPromises|promises|fsExtra|Deno|Bun|send|jsonfile|glob|serve-static|load-json-file|fs-extra|graceful-fs|memfs|original-fs|mz\/fs|)$|^fs\/promises$/,
    wrong: `const fs = require("node:fs");
const path = require("node:path");
app.get("/", (req, res) => { res.end(fs.readFileSync(path.join("/data", req.query.name))); });`,
    right: `const fs = require("node:fs");
const path = require("node:path");
app.get("/", (req, res) => {
  const file = path.resolve("/data", req.query.name);
  if (!file.startsWith("/data" + path.sep)) return res.sendStatus(404);
  res.end(fs.readFileSync(file));
});`,
    words: WORDS,
  },
  {
    id: "path/send-file",
    title: "Path traversal",
    cwe: 22,
    danger: "path",
    severity: "error",
    from: "source",
    calls: "@response..sendFile|sendfile|download|file koa-send: @koa/send:",
    argument: 0,
    unless: { argument: 1, option: "root", present: true },
    wrong: `app.get("/", (req, res) => { res.sendFile("/data/" + req.query.name); });`,
    right: `app.get("/", (req, res) => { res.sendFile(req.query.name, { root: "/data" }); });`,
    words: { ...WORDS, mend: "Hand over the folder as `root`: Express refuses what leads out of it." },
  },
  {
    id: "path/joined",
    title: "Path traversal",
    unlessSaid: "path/file path/send-file",
    unlessReached: "path/file path/send-file path/archive-entry path/moved-upload",
    cwe: 22,
    danger: "path",
    severity: "warning",
    calls: "path|path/posix|path/win32|upath:join|resolve|posix.join|posix.resolve|win32.join",
    argument: "all",
    from: "parameter",
    when: { file: /\b(?:express|koa|fastify|hono|http|https|next|@nestjs\/common|req|request|fs)\b/ },
    unless: {
      any: [
        { within: /\.startsWith\(|\.relative\(|\.indexOf\([^)]*\)\s*[!=]==?\s*0/ },
        { argument: 1, reads: /^(?:["'`][^$]*["'`]|[A-Z_]+)$/, not: { argument: 2, present: true } },
      ],
    },
    wrong: `const path = require("node:path");
app.get("/", (req, res) => { const file = path.join("/data", req.query.name); });`,
    right: `const path = require("node:path");
app.get("/", (req, res) => { const file = path.join("/data", path.basename(req.query.name)); });`,
    words: { ...WORDS, what: "becomes a part of a path" },
  },
  {
    id: "path/archive-entry",
    title: "Path traversal when unpacking an archive (Zip Slip)",
    cwe: 22,
    danger: "path",
    severity: "error",
    from: "anything",
    calls: `fs|fs-extra|graceful-fs:createWriteStream|writeFile|writeFileSync|outputFile *.createWriteStream|writeFileSync|writeFile`,
    argument: 0,
    when: {
      argument: 0,
      reads:
        /\b(?:entry|file|header|zipEntry)\.(?:path|fileName|filename|entryName|name|relativePath)\b|\b(?:fileName|entryName|entryPath)\b/,
      file: /\b(?:unzipper|unzip|yauzl|adm-zip|jszip|tar|tar-stream|node-stream-zip|extract-zip|zip)\b/i,
    },
    unless: { argument: 0, reads: /\bbasename\(/ },
    wrong: `const fs = require("node:fs");
const unzipper = require("unzipper");
unzipper.Parse().on("entry", (entry) => { entry.pipe(fs.createWriteStream(entry.path)); });`,
    right: `const fs = require("node:fs");
const path = require("node:path");
const unzipper = require("unzipper");
unzipper.Parse().on("entry", (entry) => { entry.pipe(fs.createWriteStream("/data/" + path.basename(entry.path))); });`,
    words: {
      what: "is a name in an archive and says where it is written",
      attack: "An archive with `../../` in a name overwrites files of the server (zip slip).",
      mend: "Resolve the name and refuse what leads out of the folder.",
    },
  },
];

/** Of whatever lets everybody on the machine write. */
const WRITABLE: Setting["words"] = {
  what: "A file becomes writable for everybody on the machine.",
  attack: "Another user or program there replaces it.",
  mend: "Give rights to its owner alone, `0o600`.",
};

export const PATH_SETTINGS: readonly Setting[] = [
  {
    id: "path/listing",
    title: "Directory listing",
    cwe: 548,
    severity: "warning",
    calls: "serve-index:",
    wrong: `app.use("/files", require("serve-index")("files"));`,
    right: `app.use("/files", require("serve-static")("files"));`,
    words: {
      what: "The names of all files in a folder are shown.",
      attack: "Visitors find what is linked from nowhere.",
      mend: "Leave it out, or put it behind a login.",
    },
  },
  {
    id: "path/hidden-files",
    title: "Hidden files exposed",
    cwe: 538,
    severity: "warning",
    calls: "express:static serve-static: koa-static: @response..sendFile send: @fastify/static:",
    when: {
      any: [
        { argument: 1, option: "dotfiles", is: ["allow"] },
        { argument: 1, option: "hidden", is: [true] },
        { argument: 2, option: "dotfiles", is: ["allow"] },
      ],
    },
    fix: { value: '"deny"' },
    wrong: `const express = require("express");
app.use(express.static("public", { dotfiles: "allow" }));`,
    right: `const express = require("express");
app.use(express.static("public", { dotfiles: "deny" }));`,
    words: {
      what: "Hidden files are served.",
      attack: "Among them may be `.env` and `.git`.",
      mend: 'Say `dotfiles: "deny"`.',
    },
  },
  {
    id: "path/open-permissions",
    title: "World-writable file permissions",
    cwe: 732,
    severity: "warning",
    properties: "mode",
    when: { argument: 0, is: [0o777, 0o666, 0o776, 0o767] },
    wrong: `mkdirSync("/srv/uploads", { mode: 0o777 });`,
    right: `mkdirSync("/srv/uploads", { mode: 0o750 });`,
    words: WRITABLE,
  },
  {
    id: "path/whole-folder",
    title: "Project folder exposed",
    cwe: 548,
    severity: "warning",
    calls: "express:static serve-static: koa-static:",
    when: {
      any: [
        { argument: 0, reads: /^__dirname$|^process\.cwd\(\)$/ },
        { argument: 0, is: [/^\.?\/?$|node_modules$|^\/$|^\.git/] },
      ],
    },
    wrong: `const express = require("express");
app.use(express.static(__dirname));`,
    right: `const express = require("express");
app.use(express.static("public"));`,
    words: {
      what: "The whole folder of the program is served.",
      attack: "Its code and settings are among it.",
      mend: "Serve a folder of its own.",
    },
  },
  {
    id: "path/open-permissions",
    title: "World-writable file permissions",
    cwe: 732,
    severity: "warning",
    calls: "fs|fs/promises|fs-extra:chmod|chmodSync|promises.chmod *.chmodSync|chmod",
    when: {
      argument: 1,
      is: [0o777, 0o776, 0o666, 0o757, 0o767, 0o722, 0o772, "777", "0777", "666", "0666", "o+w", "a+w"],
    },
    wrong: `require("node:fs").chmodSync("/data/key", 0o777);`,
    right: `require("node:fs").chmodSync("/data/key", 0o600);`,
    words: WRITABLE,
  },
];
