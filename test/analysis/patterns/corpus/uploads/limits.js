const express = require("express");
const multer = require("multer");
const fileUpload = require("express-fileupload");
const formidable = require("formidable");
const busboy = require("busboy");
const bodyParser = require("body-parser");
const { FileInterceptor } = require("@nestjs/platform-express");
const fastify = require("fastify");
const path = require("path");

const app = express();
const images = (req, file, done) => done(null, ["image/png", "image/jpeg"].includes(file.mimetype));

// wrong: CWE-770 files of any size
const open = multer({ dest: "uploads/" });
// right: CWE-770 size and number are limited
const limited = multer({ dest: "uploads/", limits: { fileSize: 1_000_000, files: 3 }, fileFilter: images });
// wrong: CWE-770 memory without a limit
const memory = multer({ storage: multer.memoryStorage() });
// wrong: CWE-770 no limit for express-fileupload
app.use("/a", fileUpload());
// right: CWE-770 limit for express-fileupload
app.use("/b", fileUpload({ limits: { fileSize: 1_000_000 }, abortOnLimit: true }));
// wrong: CWE-770 body of a gigabyte
app.use("/c", bodyParser.json({ limit: "1gb" }));
// right: CWE-770 body of a hundred kilobytes
app.use("/d", bodyParser.json({ limit: "100kb" }));
// wrong: CWE-770 no limit for the body
app.use("/e", express.json({ limit: Infinity }));
// right: CWE-770 default limit
app.use("/f", express.json());
// wrong: CWE-770 forms of half a gigabyte
app.use("/g", express.urlencoded({ extended: true, limit: "500mb", parameterLimit: 1_000_000 }));
// right: CWE-770 small forms
app.use("/h", express.urlencoded({ extended: false, limit: "20kb" }));

app.post("/form", (req, res, next) => {
  // wrong: CWE-770 form without limits
  formidable({ maxFileSize: Infinity, maxFields: 0 }).parse(req, (err) => (err ? next(err) : res.end()));
});

app.post("/form-limited", (req, res, next) => {
  // right: CWE-770 form with limits
  formidable({ maxFileSize: 2_000_000, maxFiles: 2 }).parse(req, (err) => (err ? next(err) : res.end()));
});

app.post("/stream", (req, res) => {
  // right: CWE-770 limits of busboy
  const parser = busboy({ headers: req.headers, limits: { fileSize: 2_000_000, files: 1, fields: 10 } });
  parser.on("finish", () => res.end());
  req.pipe(parser);
});

const pages = multer({
  dest: "public/uploads",
  limits: { fileSize: 1_000_000 },
  // wrong: CWE-434 every kind is taken into the public folder
  fileFilter: (req, file, done) => done(null, true),
});

const pictures = multer({
  dest: "public/uploads",
  limits: { fileSize: 1_000_000 },
  // right: CWE-434 ending and type are of a list
  fileFilter: (req, file, done) => done(null, /^\.(png|jpe?g)$/i.test(path.extname(file.originalname)) && file.mimetype.startsWith("image/")),
});

const loose = multer({
  dest: "public/uploads",
  limits: { fileSize: 1_000_000 },
  // wrong: CWE-434 name that only contains an ending
  fileFilter: (req, file, done) => done(null, file.originalname.includes(".png")),
});

// wrong: CWE-770 interceptor without limits
const interceptor = FileInterceptor("file", { limits: { fileSize: Infinity } });
// right: CWE-770 interceptor with a limit
const interceptorLimited = FileInterceptor("file", { limits: { fileSize: 1_000_000 } });
// wrong: CWE-770 bodies of two gigabytes in Fastify
const server = fastify({ bodyLimit: 2 * 1024 ** 3 });
// right: CWE-770 bodies of a megabyte in Fastify
const serverLimited = fastify({ bodyLimit: 1024 ** 2 });

module.exports = { app, open, limited, memory, pages, pictures, loose, interceptor, interceptorLimited, server, serverLimited };
