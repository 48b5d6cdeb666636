const http = require("http");
const nodemailer = require("nodemailer");
const express = require("express");
const contentDisposition = require("content-disposition");

const app = express();
const mailer = nodemailer.createTransport({ host: process.env.SMTP_HOST });

app.get("/language", (req, res) => {
  // wrong: CWE-113 header name and value of the query
  res.setHeader(req.query.name, req.query.value);
  res.end();
});

app.get("/language-known", (req, res) => {
  const language = req.query.lang === "de" ? "de" : "en";
  // right: CWE-113 one of two constants
  res.setHeader("Content-Language", language);
  res.end();
});

app.get("/download", (req, res) => {
  // wrong: CWE-113 file name between quotes
  res.set("Content-Disposition", `attachment; filename="${req.query.name}"`);
  res.end("x");
});

app.get("/download-made", (req, res) => {
  // right: CWE-113 package that quotes
  res.set("Content-Disposition", contentDisposition(String(req.query.name)));
  res.end("x");
});

app.get("/download-encoded", (req, res) => {
  // right: CWE-113 encoded value
  res.set("Content-Disposition", "attachment; filename*=UTF-8''" + encodeURIComponent(req.query.name));
  res.end("x");
});

http.createServer((req, res) => {
  const q = new URL(req.url, "http://localhost").searchParams;
  // wrong: CWE-113 raw header of a query value
  res.writeHead(200, { "X-Trace": q.get("trace") });
  res.end();
});

http.createServer((req, res) => {
  const q = new URL(req.url, "http://localhost").searchParams;
  // right: CWE-113 a number
  res.writeHead(200, { "X-Page": Number(q.get("page")) });
  res.end();
});

app.post("/contact", async (req, res) => {
  // wrong: CWE-93 raw message with a subject of the body
  await mailer.sendMail({ raw: `From: a@example.com\r\nTo: b@example.com\r\nSubject: ${req.body.subject}\r\n\r\nHello` });
  res.sendStatus(202);
});

app.post("/contact-fields", async (req, res) => {
  // right: CWE-93 fields are folded by nodemailer
  await mailer.sendMail({ from: "a@example.com", to: "b@example.com", subject: String(req.body.subject), text: "Hello" });
  res.sendStatus(202);
});

app.post("/forgot", async (req, res) => {
  // wrong: CWE-640 link made of the host header
  const link = `https://${req.headers.host}/reset?token=${res.locals.token}`;
  await mailer.sendMail({ from: "a@example.com", to: res.locals.user.email, subject: "Reset", text: link });
  res.sendStatus(202);
});

app.post("/forgot-base", async (req, res) => {
  // right: CWE-640 link made of the configuration
  const link = `${process.env.BASE_URL}/reset?token=${res.locals.token}`;
  await mailer.sendMail({ from: "a@example.com", to: res.locals.user.email, subject: "Reset", text: link });
  res.sendStatus(202);
});

module.exports = app;
