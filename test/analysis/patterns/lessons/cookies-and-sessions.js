const session = require("express-session");
const cookieSession = require("cookie-session");

// wrong: CWE-798
app.use(session({ secret: "keyboard cat", resave: false, cookie: { secure: true, httpOnly: true } }));
// right: CWE-798
app.use(session({ secret: process.env.SESSION, name: "sid", cookie: { secure: true, httpOnly: true, sameSite: "lax", maxAge: 1000 } }));
// wrong: CWE-614
app.use(session({ secret: key, cookie: { secure: false } }));
// wrong: CWE-1004
app.use(session({ secret: key, cookie: { secure: true, httpOnly: false } }));
// wrong: CWE-614
app.use(cookieSession({ name: "s", keys: [key1], secure: false }));
// wrong: CWE-798
app.use(cookieSession({ name: "s", keys: ["key1", "key2"], secure: true }));
// right: CWE-798
app.use(cookieSession({ name: "s", keys: [process.env.K1], secure: true, httpOnly: true }));
// wrong: CWE-384
app.use(session({ secret: key, saveUninitialized: true, cookie: {} }));

app.post("/login", (req, res) => {
  // wrong: CWE-614
  res.cookie("sid", id);
  // wrong: CWE-1004
  res.cookie("sid", id, { secure: true, httpOnly: false });
  // right: CWE-614
  res.cookie("sid", id, { secure: true, httpOnly: true, sameSite: "strict" });
  // wrong: CWE-1275
  res.cookie("sid", id, { secure: true, httpOnly: true, sameSite: "none" });
  // wrong: CWE-614
  res.setHeader("Set-Cookie", "sid=" + id + "; Path=/");
  // right: CWE-614
  res.setHeader("Set-Cookie", `sid=${id}; Path=/; Secure; HttpOnly; SameSite=Lax`);
  // wrong: CWE-352
  res.clearCookie("csrf", { sameSite: "none", secure: false });
});

const csurf = require("csurf");
// right: CWE-352
app.use(csurf({ cookie: { secure: true, httpOnly: true } }));
// wrong: CWE-352
app.use(csurf({ ignoreMethods: ["GET", "POST", "PUT"] }));
// wrong: CWE-352
app.use(csurf({ value: (req) => req.query._csrf }));

const fastify = require("fastify")();
// wrong: CWE-798
fastify.register(require("@fastify/cookie"), { secret: "my-secret-for-cookies" });
// right: CWE-798
fastify.register(require("@fastify/cookie"), { secret: process.env.COOKIE_SECRET });
// wrong: CWE-614
fastify.register(require("@fastify/session"), { secret: process.env.S, cookie: { secure: false } });
// wrong: CWE-798
app.use(require("cookie-parser")("not so secret"));
