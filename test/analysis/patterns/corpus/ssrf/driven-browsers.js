const express = require("express");
const puppeteer = require("puppeteer-core");
const playwright = require("playwright");
const phantom = require("phantom");
const wkhtmltopdf = require("wkhtmltopdf");
const wkhtmltoimage = require("wkhtmltoimage");
const pdf = require("html-pdf");
const { JSDOM, ResourceLoader } = require("jsdom");
const escapeHtml = require("escape-html");
const CDP = require("chrome-remote-interface");

const app = express();
app.use(express.json());

app.post("/phantom", async (req, res) => {
  const instance = await phantom.create();
  const page = await instance.createPage();
  // wrong: CWE-918 address for phantom
  await page.open(req.body.url);
  // wrong: CWE-79 markup for phantom
  await page.setContent(req.body.html, "https://app.example.com/");
  // right: CWE-918 constant address for phantom
  await page.open("https://app.example.com/print");
  res.send(await page.property("content"));
});

app.post("/pdf", (req, res) => {
  // wrong: CWE-918 address or markup of the body
  wkhtmltopdf(req.body.source, { pageSize: "letter" }).pipe(res);
});

app.post("/pdf-escaped", (req, res) => {
  // right: CWE-918 escaped text in constant markup
  wkhtmltopdf(`<p>${escapeHtml(req.body.text)}</p>`, { pageSize: "letter" }).pipe(res);
});

app.post("/image", (req, res) => {
  // wrong: CWE-918 address for wkhtmltoimage
  wkhtmltoimage.generate(req.body.url, { output: "out.jpg" });
  // right: CWE-918 constant address for wkhtmltoimage
  wkhtmltoimage.generate("https://app.example.com/card", { output: "card.jpg" });
  res.sendStatus(202);
});

app.post("/html-pdf", (req, res) => {
  // wrong: CWE-79 markup for html-pdf
  pdf.create("<html>" + req.body.html + "</html>").toStream((err, stream) => stream.pipe(res));
});

app.post("/dom", (req, res) => {
  // wrong: CWE-94 scripts of foreign markup are run
  const dom = new JSDOM(req.body.html, { runScripts: "dangerously" });
  // right: CWE-94 scripts are left alone
  const quiet = new JSDOM(req.body.html);
  // wrong: CWE-918 resources of foreign markup are fetched
  const loaded = new JSDOM(req.body.html, { resources: "usable" });
  res.json({ titles: [dom, quiet, loaded].map(({ window }) => window.document.title), ResourceLoader });
});

app.post("/cdp", async (req, res) => {
  const { Page, Runtime } = await CDP();
  // wrong: CWE-918 address over the protocol
  await Page.navigate({ url: req.body.url });
  // wrong: CWE-94 code over the protocol
  const { result } = await Runtime.evaluate({ expression: req.body.expression });
  // right: CWE-94 constant code over the protocol
  await Runtime.evaluate({ expression: "document.title" });
  res.json(result);
});

app.post("/playwright", async (req, res) => {
  const browser = await playwright.firefox.launch();
  const page = await (await browser.newContext()).newPage();
  // wrong: CWE-94 built code in the page
  await page.evaluate(`document.title = "${req.body.title}"`);
  // right: CWE-94 argument of a function
  await page.evaluate((title) => (document.title = title), req.body.title);
  // wrong: CWE-94 script tag with foreign text
  await page.addScriptTag({ content: req.body.script });
  // right: CWE-918 path on a constant host
  await page.goto("https://app.example.com/items/" + encodeURIComponent(req.body.item));
  res.send(await page.pdf());
});

exports.launch = async () => {
  // wrong: CWE-693 browser without its sandbox and same origin policy
  await puppeteer.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-web-security"] });
  // right: CWE-693 harmless switches
  await puppeteer.launch({ executablePath: "/usr/bin/chromium", args: ["--disable-gpu", "--hide-scrollbars"] });
  // wrong: CWE-295 certificates are ignored
  await playwright.chromium.launchPersistentContext("/tmp/profile", { ignoreHTTPSErrors: true });
};
