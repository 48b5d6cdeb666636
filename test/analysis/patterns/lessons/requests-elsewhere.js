const axios = require("axios");
const express = require("express");
const app = express();

app.get("/proxy", async (req, res) => {
  // wrong: CWE-918
  const a = await axios.get(req.query.url);
  // wrong: CWE-918
  const b = await fetch(`https://${req.body.host}/status`);
  // right: CWE-918
  const c = await fetch("https://api.example.com/items/" + encodeURIComponent(req.query.id));
  // wrong: CWE-918
  const d = await axios({ method: "get", url: req.body.target });
  // right: CWE-918
  const e = await axios({ method: "get", url: "https://api.example.com", params: { q: req.query.q } });
  res.json([a, b, c, d, e]);
});

app.post("/hook", function (req, res) {
  const request = require("request");
  // wrong: CWE-918
  request(req.body.callback, (err, response) => res.send(response.body));
  // wrong: CWE-918
  request.post({ uri: req.body.callback, json: true });
  // right: CWE-918
  request("https://example.com/ping", (err, response) => res.send(response.body));
});

app.get("/http", (req, res) => {
  const http = require("http");
  // wrong: CWE-918
  http.get(req.query.address, (r) => r.pipe(res));
  // wrong: CWE-918
  http.request({ hostname: req.query.host, path: "/" }, (r) => r.pipe(res)).end();
  // right: CWE-918
  http.request({ hostname: "example.com", path: "/" }, (r) => r.pipe(res)).end();
});

exports.lambda = async (event, context) => {
  // wrong: CWE-918
  const r = await fetch(event.queryStringParameters.url);
  const needle = require("needle");
  // wrong: CWE-918
  await needle("get", event.url);
  const got = require("got");
  // wrong: CWE-918
  await got(event.link);
  // right: CWE-918
  await got("https://example.com/feed.xml");
  return r;
};

app.get("/shot", async (req, res) => {
  const puppeteer = require("puppeteer");
  const browser = await puppeteer.launch();
  const page = await browser.newPage();
  // wrong: CWE-918
  await page.goto(req.query.url);
  // right: CWE-918
  await page.goto("https://example.com/");
  // wrong: CWE-918
  await page.setContent(`<h1>${req.query.title}</h1>`);
  // right: CWE-918
  await page.setContent("<h1>Report</h1>");
  // wrong: CWE-94
  await page.evaluate(`render(${req.query.data})`);
  // right: CWE-94
  await page.evaluate((data) => render(data), req.query.data);
  // wrong: CWE-94
  await page.evaluateOnNewDocument(req.body.script);
});

async function capture(target, script) {
  const { chromium } = require("playwright");
  // wrong: CWE-693
  const browser = await chromium.launch({ args: ["--no-sandbox", "--disable-web-security"] });
  const page = await browser.newPage();
  // wrong: CWE-918
  await page.goto(target);
  // wrong: CWE-94
  await page.addInitScript(script);
  // wrong: CWE-918
  await page.setContent(target);
  // right: CWE-918
  await page.goto("https://localhost:3000/print");
  // wrong: CWE-94
  await page.evaluate("go(" + script + ")");
}

async function remote(expression, url) {
  const CDP = require("chrome-remote-interface");
  const client = await CDP();
  const { Page, Runtime } = client;
  // wrong: CWE-918
  await Page.navigate({ url });
  // right: CWE-918
  await Page.navigate({ url: "https://example.com" });
  // wrong: CWE-94
  await Runtime.evaluate({ expression });
  // right: CWE-94
  await Runtime.evaluate({ expression: "document.title" });
}

function pdf(req, res) {
  const wkhtmltopdf = require("wkhtmltopdf");
  // wrong: CWE-918
  wkhtmltopdf(req.body.html, { output: "out.pdf" });
  // right: CWE-918
  wkhtmltopdf("<p>fixed</p>", { output: "out.pdf" });
  const wkhtmltoimage = require("wkhtmltoimage");
  // wrong: CWE-918
  wkhtmltoimage.generate(req.body.url, { output: "out.jpg" });
}

async function phantomOpen(req, res) {
  const phantom = require("phantom");
  const instance = await phantom.create();
  const page = await instance.createPage();
  // wrong: CWE-918
  await page.open(req.query.site);
  // right: CWE-918
  await page.open("https://example.com");
  // wrong: CWE-94
  await page.evaluateJavaScript(req.query.code);
}

app.get("/cert", (req, res) => {
  const tls = require("tls");
  const net = require("net");
  // wrong: CWE-918
  net.connect(req.query.port, req.query.host);
  // right: CWE-918
  net.connect(6379, "localhost");
  // wrong: CWE-319
  const feed = new WebSocket("ws://feeds.example.com");
  // right: CWE-319
  const feed2 = new WebSocket("wss://feeds.example.com");
});

async function plain() {
  // wrong: CWE-319
  await fetch("http://api.example.com/login", { method: "POST", body });
  // right: CWE-319
  await fetch("https://api.example.com/login", { method: "POST", body });
  // wrong: CWE-319
  await axios.post("http://payments.example.com/charge", body);
  // right: CWE-319
  await axios.get("http://localhost:8080/health");
}

const proxy = require("http-proxy-middleware");
app.use("/any", (req, res, next) => {
  // wrong: CWE-918
  proxy.createProxyMiddleware({ target: req.query.target })(req, res, next);
});
