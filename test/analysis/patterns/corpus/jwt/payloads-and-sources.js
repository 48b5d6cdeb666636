const jwt = require("jsonwebtoken");
const jose = require("jose");
const crypto = require("crypto");
const jwksClient = require("jwks-rsa");
const config = require("./config");
const { JWT_SECRET = "fallback-for-everybody" } = process.env;

const client = jwksClient({ jwksUri: "https://id.example.com/.well-known/jwks.json", cache: true, rateLimit: true });

exports.login = (user) => {
  // wrong: CWE-522 hash of a password in a token that everybody can read
  return jwt.sign({ id: user.id, password: user.passwordHash }, config.secret, { expiresIn: "1h" });
};

exports.loginSafe = (user) => {
  // right: CWE-522 id and role only
  return jwt.sign({ id: user.id, role: user.role }, config.secret, { expiresIn: "1h" });
};

exports.loginFallback = (user) => {
  // wrong: CWE-798 fallback in the source
  return jwt.sign({ id: user.id }, process.env.JWT_KEY || "development-key-of-all", { expiresIn: "1h" });
};

exports.loginDefault = (user) => {
  // wrong: CWE-798 default of a pattern in the source
  return jwt.sign({ id: user.id }, JWT_SECRET, { expiresIn: "1h" });
};

exports.loginLong = (user) => {
  // wrong: CWE-613 ten years
  return jwt.sign({ id: user.id }, config.secret, { expiresIn: "3650d" });
};

exports.verifyBody = (req) => {
  // wrong: CWE-347 key of the request
  return jwt.verify(req.body.token, req.body.key, { algorithms: ["HS256"] });
};

exports.verifyHeaderAlgorithm = (token, key) => {
  const { header } = jwt.decode(token, { complete: true });
  // wrong: CWE-347 algorithm is what the token says
  return jwt.verify(token, key, { algorithms: [header.alg] });
};

exports.verifyMixed = (token, publicKey) => {
  // wrong: CWE-347 a public key with a symmetric algorithm too
  return jwt.verify(token, publicKey, { algorithms: ["RS256", "HS256"] });
};

exports.verifyPublished = (token, done) => {
  const getKey = (header, callback) => client.getSigningKey(header.kid, (err, key) => callback(err, key?.getPublicKey()));
  // right: CWE-347 published keys and one algorithm
  jwt.verify(token, getKey, { algorithms: ["ES256"], audience: "shop" }, done);
};

exports.payload = (token) => {
  // wrong: CWE-347 parts of a token are decoded by hand
  return JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString()).role;
};

exports.refreshTime = (token) => {
  // right: CWE-347 verified before, then read
  jwt.verify(token, config.publicKey, { algorithms: ["RS256"] });
  return jwt.decode(token).exp;
};

exports.random = () => {
  // right: CWE-798 key that is made at each start
  return jwt.sign({ once: true }, crypto.randomBytes(32), { expiresIn: "1m" });
};

exports.encrypted = async (user, key) => {
  // right: CWE-522 encrypted token
  return new jose.EncryptJWT({ id: user.id }).setProtectedHeader({ alg: "dir", enc: "A256GCM" }).setExpirationTime("1h").encrypt(key);
};

exports.weakEncryption = async (user, key) => {
  // wrong: CWE-327 old padding for a key
  return new jose.EncryptJWT({ id: user.id }).setProtectedHeader({ alg: "RSA1_5", enc: "A256GCM" }).setExpirationTime("1h").encrypt(key);
};

exports.keyPair = async () => {
  // right: CWE-326 key pair of Ed25519
  return jose.generateKeyPair("EdDSA");
};
