const express = require("express");
const url = require("url");
const router = express.Router();

const PAGES = ["/home", "/profile", "/orders"];

router.get("/login", (req, res) => {
  // wrong: CWE-601 target of the query
  res.redirect(req.query.next);
});

router.get("/login-status", (req, res) => {
  const target = req.query.returnTo || "/";
  // wrong: CWE-601 default does not limit it
  res.redirect(302, target);
});

router.get("/login-list", (req, res) => {
  const target = PAGES.includes(req.query.next) ? req.query.next : "/home";
  // right: CWE-601 one of a list
  res.redirect(target);
});

router.get("/login-slash", (req, res) => {
  const { next } = req.query;
  if (!next.startsWith("/")) return res.redirect("/");
  // wrong: CWE-601 two slashes lead away
  return res.redirect(next);
});

router.get("/login-local", (req, res) => {
  const next = String(req.query.next);
  const local = /^\/(?![/\\])[\w/-]*$/.test(next);
  // right: CWE-601 one slash and a narrow alphabet
  return res.redirect(local ? next : "/");
});

router.get("/out", (req, res) => {
  // wrong: CWE-601 Location header by hand
  res.writeHead(302, { Location: req.query.to });
  res.end();
});

router.get("/out-set", (req, res) => {
  // wrong: CWE-601 location method
  res.location(req.query.to).sendStatus(303);
});

router.get("/back", (req, res) => {
  // right: CWE-601 constant page with an encoded parameter
  res.redirect("/login?next=" + encodeURIComponent(req.originalUrl));
});

router.get("/user/:id", (req, res) => {
  // right: CWE-601 a part behind a fixed prefix
  res.redirect(`/users/${encodeURIComponent(req.params.id)}`);
});

router.get("/parsed", (req, res) => {
  const target = url.parse(req.query.next);
  if (target.host && target.host.endsWith("example.com")) {
    // wrong: CWE-601 notexample.com ends the same
    return res.redirect(req.query.next);
  }
  return res.redirect("/");
});

router.get("/parsed-origin", (req, res) => {
  const target = new URL(req.query.next, "https://www.example.com");
  if (target.origin !== "https://www.example.com") return res.redirect("/");
  // right: CWE-601 origin is compared
  return res.redirect(target.href);
});

module.exports = router;
