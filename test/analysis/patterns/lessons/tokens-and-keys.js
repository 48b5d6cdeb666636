const jwt = require("jsonwebtoken");
const jose = require("jose");
const crypto = require("crypto");

function issue(user) {
  // wrong: CWE-798
  const a = jwt.sign({ id: user.id }, "shhhhh-very-secret");
  // right: CWE-798
  const b = jwt.sign({ id: user.id }, process.env.JWT_SECRET, { expiresIn: "1h" });
  const secret = "this-is-hard-coded";
  // wrong: CWE-798
  const c = jwt.sign({ id: user.id }, secret);
  // wrong: CWE-522
  const d = jwt.sign({ password: user.password }, process.env.JWT_SECRET);
  // wrong: CWE-522
  const e = jwt.sign(user, process.env.JWT_SECRET);
  // wrong: CWE-347
  const f = jwt.sign({ id: 1 }, null, { algorithm: "none" });
  return [a, b, c, d, e, f];
}

function check(token) {
  // wrong: CWE-347
  const a = jwt.verify(token, key, { algorithms: ["none", "HS256"] });
  // right: CWE-347
  const b = jwt.verify(token, key, { algorithms: ["RS256"] });
  // wrong: CWE-345
  const c = jwt.decode(token);
  // wrong: CWE-798
  const d = jwt.verify(token, "secret");
  // wrong: CWE-613
  const e = jwt.verify(token, key, { ignoreExpiration: true });
  return [a, b, c, d, e];
}

function joseSign(payload) {
  const { JWT, JWK } = jose;
  // wrong: CWE-798
  const a = JWT.sign(payload, "hard-coded-secret");
  // wrong: CWE-347
  const b = JWT.verify(token, JWK.None);
  // right: CWE-347
  const c = JWT.verify(token, JWK.asKey(process.env.PUBLIC_KEY));
  // wrong: CWE-798
  const d = new TextEncoder().encode("my-fixed-secret-key");
  return [a, b, c, d];
}

const { expressjwt } = require("express-jwt");
// wrong: CWE-798
app.use(expressjwt({ secret: "server secret", algorithms: ["HS256"] }));
// right: CWE-798
app.use(expressjwt({ secret: process.env.SECRET, algorithms: ["HS256"] }));
// wrong: CWE-613
app.get("/p", require("express-jwt")({ secret: process.env.SECRET, isRevoked: undefined }));

const { Strategy } = require("passport-jwt");
// wrong: CWE-798
passport.use(new Strategy({ jwtFromRequest: fromHeader, secretOrKey: "fixed-secret" }, verify));
// right: CWE-798
passport.use(new Strategy({ jwtFromRequest: fromHeader, secretOrKey: process.env.KEY }, verify));
const GoogleStrategy = require("passport-google-oauth20").Strategy;
// wrong: CWE-798
passport.use(new GoogleStrategy({ clientID: "id", clientSecret: "GOCSPX-abcdefghijk", callbackURL: "/cb" }, verify));
// right: CWE-798
passport.use(new GoogleStrategy({ clientID: "id", clientSecret: config.google.secret, callbackURL: "/cb" }, verify));

const jwtSimple = require("jwt-simple");
// wrong: CWE-347
const p = jwtSimple.decode(token, key, true);
// right: CWE-347
const p2 = jwtSimple.decode(token, key, false, "HS256");
const jwtDecode = require("jwt-decode");

// wrong: CWE-798
const hmac = crypto.createHmac("sha256", "a-fixed-key");
// right: CWE-798
const hmac2 = crypto.createHmac("sha256", process.env.HMAC_KEY);
// wrong: CWE-798
const apiKey = "sk_live_51H8aaaaaaaaaaaaaaaaaaaaa";
// right: CWE-798
const apiKeyFromEnv = process.env.API_KEY;
// wrong: CWE-798
const password = "Winter2023!";
// right: CWE-798
const passwordField = "password";
// wrong: CWE-798
const s3 = new AWS.S3({ accessKeyId: "AKIAZZZZZZZZZZZZZZZZ", secretAccessKey: "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" });
// right: CWE-798
const s3b = new AWS.S3({ region: "eu-central-1" });
// wrong: CWE-798
const stripe = require("stripe")("sk_test_4eC39HqLyjWDarjtT1zdp7dc");
// wrong: CWE-798
client.login("someuser", "somepassword1");
const basicAuth = require("express-basic-auth");
// wrong: CWE-798
app.use(basicAuth({ users: { admin: "supersecret" } }));
// right: CWE-798
app.use(basicAuth({ users: { admin: process.env.ADMIN_PASSWORD } }));
