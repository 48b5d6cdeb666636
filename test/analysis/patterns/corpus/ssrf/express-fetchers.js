const express = require("express");
const axios = require("axios");
const got = require("got");
const request = require("request");
const needle = require("needle");
const superagent = require("superagent");

const router = express.Router();
const HOSTS = new Set(["api.example.com", "images.example.com"]);

router.get("/fetch", async (req, res) => {
  // wrong: CWE-918 address of the query
  const answer = await fetch(req.query.url);
  res.send(await answer.text());
});

router.get("/fetch-host", async (req, res) => {
  const url = new URL(req.query.url);
  if (url.protocol !== "https:" || !HOSTS.has(url.hostname)) return res.sendStatus(400);
  // right: CWE-918 host is one of a set
  const answer = await fetch(url, { redirect: "error" });
  res.send(await answer.text());
});

router.get("/fetch-includes", async (req, res) => {
  if (!req.query.url.includes("example.com")) return res.sendStatus(400);
  // wrong: CWE-918 includes on the whole address
  const answer = await fetch(req.query.url);
  res.send(await answer.text());
});

router.get("/axios", async (req, res) => {
  // wrong: CWE-918 axios with a query value
  const { data } = await axios.get(req.query.feed);
  res.send(data);
});

router.get("/axios-param", async (req, res) => {
  // right: CWE-918 fixed address, input as parameter
  const { data } = await axios.get("https://api.example.com/search", { params: { q: req.query.q } });
  res.send(data);
});

router.post("/webhook", async (req, res) => {
  // wrong: CWE-918 config object of axios
  await axios({ method: "post", url: req.body.callback, data: { ok: true } });
  res.sendStatus(202);
});

router.get("/got", async (req, res) => {
  // wrong: CWE-918 host part of a template
  const body = await got(`https://${req.query.region}.internal.example.com/status`).text();
  res.send(body);
});

router.get("/got-path", async (req, res) => {
  // right: CWE-918 encoded part of a path on a fixed host
  const body = await got(`https://api.example.com/users/${encodeURIComponent(req.query.user)}`).text();
  res.send(body);
});

router.get("/request", (req, res) => {
  // wrong: CWE-918 request pipes a foreign address
  request(req.query.image).pipe(res);
});

router.get("/needle", (req, res) => {
  // wrong: CWE-918 needle with a query value
  needle.get(req.query.target, (err, answer) => res.send(err ? "" : answer.body));
});

router.get("/superagent", async (req, res) => {
  // wrong: CWE-918 superagent
  const answer = await superagent.get(req.query.u).timeout(2000);
  res.send(answer.text);
});

router.get("/superagent-query", async (req, res) => {
  // right: CWE-918 input is a query of a fixed address
  const answer = await superagent.get("https://api.example.com/find").query({ q: req.query.u });
  res.send(answer.text);
});

module.exports = router;
