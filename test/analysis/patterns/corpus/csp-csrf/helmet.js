const express = require("express");
const helmet = require("helmet");
const crypto = require("crypto");
const fastify = require("fastify")();

const app = express();

// wrong: CWE-693 no policy for content
app.use(helmet({ contentSecurityPolicy: false }));
// right: CWE-693 defaults of helmet
app.use(helmet());
// wrong: CWE-1021 frames of others allowed
app.use(helmet({ frameguard: false }));
// right: CWE-1021 frames denied
app.use(helmet({ frameguard: { action: "deny" } }));
// wrong: CWE-319 strict transport switched off
app.use(helmet({ hsts: false }));
// right: CWE-319 a year of strict transport
app.use(helmet.hsts({ maxAge: 31_536_000, includeSubDomains: true }));
// wrong: CWE-693 sniffing allowed again
app.use(helmet({ noSniff: false }));
// right: CWE-200 hides the framework
app.disable("x-powered-by");

app.use((req, res, next) => {
  res.locals.nonce = crypto.randomBytes(16).toString("base64");
  next();
});

app.use(
  helmet.contentSecurityPolicy({
    directives: {
      defaultSrc: ["'self'"],
      // wrong: CWE-693 inline scripts allowed
      scriptSrc: ["'self'", "'unsafe-inline'"],
    },
  }),
);

app.use(
  helmet.contentSecurityPolicy({
    directives: {
      defaultSrc: ["'self'"],
      // right: CWE-693 nonce for inline scripts
      scriptSrc: ["'self'", (req, res) => `'nonce-${res.locals.nonce}'`],
      // wrong: CWE-693 eval allowed, anything as worker
      workerSrc: ["*", "'unsafe-eval'"],
      // wrong: CWE-693 plugins from everywhere
      objectSrc: ["*"],
      // right: CWE-1021 nobody may frame
      frameAncestors: ["'none'"],
      // wrong: CWE-693 scripts of every host
      scriptSrcElem: ["*"],
      // right: CWE-693 no plugins
      baseUri: ["'none'"],
    },
  }),
);

app.use((req, res, next) => {
  // wrong: CWE-693 policy by hand with eval
  res.setHeader("Content-Security-Policy", "script-src 'self' 'unsafe-eval'");
  // right: CWE-693 policy by hand, strict
  res.setHeader("Content-Security-Policy", "default-src 'self'; object-src 'none'");
  // wrong: CWE-1021 frame option that allows all
  res.setHeader("X-Frame-Options", "ALLOWALL");
  // right: CWE-1021 same origin frames
  res.setHeader("X-Frame-Options", "SAMEORIGIN");
  next();
});

// wrong: CWE-693 helmet of Fastify without policy
fastify.register(require("@fastify/helmet"), { contentSecurityPolicy: false });
// right: CWE-693 helmet of Fastify
fastify.register(require("@fastify/helmet"), { global: true });

module.exports = app;
