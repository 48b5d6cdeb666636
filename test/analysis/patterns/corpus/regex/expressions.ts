import escapeStringRegexp from "escape-string-regexp";
import _ from "lodash";
import { Router } from "express";
import RE2 from "re2";
import { books } from "./books";

export const search = Router();

search.get("/titles", (req, res) => {
  // wrong: CWE-1333 expression of the query
  const pattern = new RegExp(req.query.q as string, "i");
  res.json(books.filter((book) => pattern.test(book.title)));
});

search.get("/titles-escaped", (req, res) => {
  // right: CWE-1333 escaped
  const pattern = new RegExp(escapeStringRegexp(String(req.query.q)), "i");
  res.json(books.filter((book) => pattern.test(book.title)));
});

search.get("/titles-lodash", (req, res) => {
  // right: CWE-1333 escapeRegExp of lodash
  const pattern = new RegExp("^" + _.escapeRegExp(String(req.query.q)), "i");
  res.json(books.filter((book) => pattern.test(book.title)));
});

search.get("/titles-call", (req, res) => {
  // wrong: CWE-1333 RegExp without new
  const pattern = RegExp(`\\b${req.query.q}\\b`);
  res.json(books.filter((book) => pattern.test(book.title)));
});

search.get("/titles-match", (req, res) => {
  const q = req.query.q as string;
  // wrong: CWE-1333 match makes an expression of a string
  res.json(books.filter((book) => book.title.match(q)));
});

search.get("/titles-includes", (req, res) => {
  // right: CWE-1333 includes takes plain text
  res.json(books.filter((book) => book.title.includes(String(req.query.q))));
});

search.get("/titles-re2", (req, res) => {
  // right: CWE-1333 linear engine
  const pattern = new RE2(String(req.query.q));
  res.json(books.filter((book) => pattern.test(book.title)));
});

search.post("/email", (req, res) => {
  // wrong: CWE-1333 nested quantifiers on a body field
  const ok = /^([a-zA-Z0-9]+[._-]?)+@example\.com$/.test(req.body.email);
  res.json({ ok });
});

search.post("/email-linear", (req, res) => {
  // right: CWE-1333 no nesting
  const ok = /^[a-z0-9._-]{1,64}@example\.com$/i.test(req.body.email);
  res.json({ ok });
});

search.post("/words", (req, res) => {
  // wrong: CWE-1333 alternatives that overlap inside of a star
  const ok = /^(\w|\d|_)*!$/.test(req.body.words);
  res.json({ ok });
});

search.post("/trim", (req, res) => {
  // wrong: CWE-1333 star over a star
  const text = String(req.body.text).replace(/(\s*)*$/, "");
  res.json({ text });
});

search.post("/trim-native", (req, res) => {
  // right: CWE-1333 trimEnd
  const text = String(req.body.text).trimEnd();
  res.json({ text });
});

search.post("/numbers", (req, res) => {
  // wrong: CWE-1333 plus over plus with a separator that may be absent
  const ok = /^(\d+,?)+$/.test(req.body.numbers);
  res.json({ ok });
});

search.post("/numbers-separated", (req, res) => {
  // right: CWE-1333 separator is needed between repetitions
  const ok = /^\d+(?:,\d+)*$/.test(req.body.numbers);
  res.json({ ok });
});
