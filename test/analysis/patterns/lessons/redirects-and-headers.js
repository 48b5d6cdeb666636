const express = require("express");
const router = express.Router();

router.get("/login", (req, res) => {
  // wrong: CWE-601
  res.redirect(req.query.returnUrl);
  // right: CWE-601
  res.redirect("/dashboard");
  // wrong: CWE-601
  res.redirect("https://" + req.query.domain + "/home");
  // right: CWE-601
  res.redirect("/users/" + req.params.id);
  // wrong: CWE-601
  res.redirect(301, req.body.next);
  const to = req.query.next;
  if (ALLOWED.includes(to)) {
    // right: CWE-601
    res.redirect(to);
  }
  // wrong: CWE-601
  res.location(req.query.next).status(302).end();
});

router.get("/back", function (req, res) {
  const { url } = req.query;
  // wrong: CWE-601
  res.writeHead(302, { Location: url });
  // right: CWE-601
  res.writeHead(302, { Location: "/" });
  // wrong: CWE-601
  res.setHeader("Location", url);
});

router.get("/header", (req, res) => {
  // wrong: CWE-113
  res.setHeader("X-Language", req.query.lang);
  // right: CWE-113
  res.setHeader("X-Language", "en");
  // wrong: CWE-451
  res.set("X-Frame-Options", req.query.frame);
  // right: CWE-451
  res.set("X-Frame-Options", "SAMEORIGIN");
  // wrong: CWE-942
  res.set("Access-Control-Allow-Origin", req.get("origin"));
  // wrong: CWE-942
  res.header("Access-Control-Allow-Origin", "*");
  // right: CWE-942
  res.header("Access-Control-Allow-Origin", "https://www.example.com");
  // wrong: CWE-693
  res.removeHeader("X-Frame-Options");
});

const cors = require("cors");
// wrong: CWE-942
router.use(cors({ origin: true, credentials: true }));
// right: CWE-942
router.use(cors({ origin: ["https://a.example.com"], credentials: true }));
// wrong: CWE-942
router.use(cors({ origin: /example\.com/ }));
// wrong: CWE-942
router.use(cors({ origin: "*" }));

const helmet = require("helmet");
// wrong: CWE-693
router.use(helmet({ contentSecurityPolicy: false }));
// right: CWE-693
router.use(helmet());
// wrong: CWE-693
router.use(helmet({ frameguard: false }));
// wrong: CWE-693
router.use(helmet.contentSecurityPolicy({ directives: { defaultSrc: ["'self'"], scriptSrc: ["'unsafe-inline'", "'unsafe-eval'"] } }));
// right: CWE-693
router.use(helmet.contentSecurityPolicy({ directives: { defaultSrc: ["'self'"] } }));
// wrong: CWE-523
router.use(helmet.hsts({ maxAge: 0 }));

module.exports = router;
