const express = require("express");
const cors = require("cors");

const app = express();
const ORIGINS = ["https://app.example.com", "https://admin.example.com"];

// wrong: CWE-942 origin is reflected with credentials
app.use("/a", cors({ origin: true, credentials: true }));
// right: CWE-942 list of origins
app.use("/b", cors({ origin: ORIGINS, credentials: true }));
// right: CWE-942 public without credentials
app.use("/c", cors({ origin: "*", methods: ["GET"], credentials: false }));

app.use(
  "/d",
  cors({
    credentials: true,
    // wrong: CWE-942 callback that allows everybody
    origin: (origin, done) => done(null, true),
  }),
);

app.use(
  "/e",
  cors({
    credentials: true,
    // right: CWE-942 callback that looks into a list
    origin: (origin, done) => done(null, ORIGINS.includes(origin)),
  }),
);

app.use(
  "/f",
  cors({
    credentials: true,
    // wrong: CWE-942 pattern without an end
    origin: /https:\/\/.*example\.com/,
  }),
);

app.use(
  "/g",
  cors({
    credentials: true,
    // right: CWE-942 anchored pattern
    origin: /^https:\/\/[a-z0-9-]+\.example\.com$/,
  }),
);

app.use("/h", (req, res, next) => {
  // wrong: CWE-942 reflected header
  res.setHeader("Access-Control-Allow-Origin", req.headers.origin);
  res.setHeader("Access-Control-Allow-Credentials", "true");
  next();
});

app.use("/i", (req, res, next) => {
  if (ORIGINS.includes(req.headers.origin)) {
    // right: CWE-942 reflected after a look into a list
    res.setHeader("Access-Control-Allow-Origin", req.headers.origin);
    res.setHeader("Vary", "Origin");
  }
  next();
});

app.use("/j", (req, res, next) => {
  const origin = req.get("origin") || "";
  if (origin.endsWith("example.com")) {
    // wrong: CWE-942 evilexample.com ends the same
    res.header("Access-Control-Allow-Origin", origin);
    res.header("Access-Control-Allow-Credentials", "true");
  }
  next();
});

app.use("/k", (req, res, next) => {
  // wrong: CWE-942 null is an origin of sandboxed frames
  res.header("Access-Control-Allow-Origin", "null");
  res.header("Access-Control-Allow-Credentials", "true");
  next();
});

app.use("/l", (_req, res, next) => {
  // right: CWE-942 one constant origin
  res.header("Access-Control-Allow-Origin", "https://app.example.com");
  next();
});

module.exports = app;
