const express = require("express");
const session = require("express-session");
const cookieSession = require("cookie-session");

const app = express();
app.set("trust proxy", 1);

app.use(
  session({
    secret: process.env.SESSION_SECRET,
    resave: false,
    saveUninitialized: false,
    cookie: {
      // wrong: CWE-614 sent over http too
      secure: false,
      // wrong: CWE-1004 scripts may read it
      httpOnly: false,
      // wrong: CWE-1275 sent with every foreign request
      sameSite: "none",
    },
  }),
);

app.use(
  session({
    secret: process.env.SESSION_SECRET,
    resave: false,
    saveUninitialized: false,
    cookie: {
      // right: CWE-614 https only
      secure: true,
      // right: CWE-1004 hidden from scripts
      httpOnly: true,
      // right: CWE-1275 not sent with foreign forms
      sameSite: "lax",
      maxAge: 3_600_000,
    },
  }),
);

app.use(
  session({
    // wrong: CWE-798 secret in the source
    secret: "keyboard cat",
    resave: false,
    saveUninitialized: false,
    cookie: { secure: true, httpOnly: true, sameSite: "strict" },
  }),
);

app.use(
  cookieSession({
    name: "s",
    // right: CWE-798 keys of the environment
    keys: process.env.COOKIE_KEYS.split(","),
    // right: CWE-614 secure outside of development
    secure: process.env.NODE_ENV !== "development",
    httpOnly: true,
    sameSite: "lax",
  }),
);

app.use(
  cookieSession({
    name: "old",
    // wrong: CWE-798 keys in the source
    keys: ["first-key-of-ours", "second-key-of-ours"],
    secure: true,
    sameSite: "lax",
  }),
);

app.get("/remember", (req, res) => {
  // wrong: CWE-614 session id without secure
  res.cookie("sid", req.sessionID, { httpOnly: true, sameSite: "lax" });
  // right: CWE-614 all three flags
  res.cookie("sid", req.sessionID, { httpOnly: true, secure: true, sameSite: "lax" });
  // wrong: CWE-1004 token that scripts can read
  res.cookie("token", res.locals.token, { secure: true, sameSite: "strict" });
  // wrong: CWE-614 no options at all
  res.cookie("auth", res.locals.token);
  // right: CWE-1004 clearing needs no flags
  res.clearCookie("auth");
  // right: CWE-614 host prefix with signed value
  res.cookie("__Host-sid", req.sessionID, { path: "/", httpOnly: true, secure: true, signed: true, sameSite: "strict" });
  res.end();
});

module.exports = app;
