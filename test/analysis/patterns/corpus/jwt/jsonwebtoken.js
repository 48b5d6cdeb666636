const jwt = require("jsonwebtoken");
const { sign, verify, decode } = require("jsonwebtoken");
const { expressjwt } = require("express-jwt");
const fs = require("fs");

const SECRET = process.env.JWT_SECRET;
const publicKey = fs.readFileSync("public.pem");

exports.issue = (user) => {
  // wrong: CWE-798 secret in the source
  return jwt.sign({ sub: user.id }, "my-own-secret-phrase", { expiresIn: "15m" });
};

exports.issueSafely = (user) => {
  // right: CWE-798 secret of the environment
  return jwt.sign({ sub: user.id }, SECRET, { expiresIn: "15m", algorithm: "HS256" });
};

exports.issueForever = (user) => {
  // wrong: CWE-613 token that never ends
  return sign({ sub: user.id }, SECRET);
};

exports.issueWithClaim = (user) => {
  // right: CWE-613 end stands in the claims
  return sign({ sub: user.id, exp: Math.floor(Date.now() / 1000) + 900 }, SECRET);
};

exports.issueNone = (user) => {
  // wrong: CWE-347 unsigned token
  return jwt.sign({ sub: user.id }, null, { algorithm: "none", expiresIn: "5m" });
};

exports.check = (token) => {
  // wrong: CWE-347 none is among the algorithms
  return jwt.verify(token, SECRET, { algorithms: ["HS256", "none"] });
};

exports.checkSafely = (token) => {
  // right: CWE-347 one algorithm
  return verify(token, publicKey, { algorithms: ["RS256"], issuer: "https://id.example.com" });
};

exports.checkExpired = (token) => {
  // wrong: CWE-613 expiry is ignored
  return verify(token, SECRET, { algorithms: ["HS256"], ignoreExpiration: true });
};

exports.user = (req, res, next) => {
  // wrong: CWE-347 decoded and never verified
  req.user = decode(req.headers.authorization.split(" ")[1]);
  next();
};

exports.header = (token) => {
  // right: CWE-347 only the key id of the header is read before verifying
  const kid = decode(token, { complete: true })?.header.kid;
  return verify(token, keyOf(kid), { algorithms: ["RS256"] });
};

exports.callback = (req, res, next) => {
  // wrong: CWE-347 empty secret
  jwt.verify(req.cookies.token, "", (err, payload) => {
    req.user = payload;
    next(err);
  });
};

// wrong: CWE-798 middleware with a secret in the source
exports.guard = expressjwt({ secret: "shhhh-shared", algorithms: ["HS256"] });
// right: CWE-798 middleware with a secret of the environment
exports.guardSafely = expressjwt({ secret: SECRET, algorithms: ["HS256"] });

function keyOf(kid) {
  return fs.readFileSync(kid === "2026" ? "public-2026.pem" : "public.pem");
}
