const crypto = require("crypto");
const { createHash, createHmac, pbkdf2Sync, pbkdf2, scryptSync } = require("node:crypto");
const bcrypt = require("bcryptjs");
const argon2 = require("argon2");
const md5 = require("md5");
const sha1 = require("js-sha1");
const fs = require("fs");

// wrong: CWE-916 MD5 of a password
exports.hashMd5 = (password) => crypto.createHash("md5").update(password).digest("hex");
// wrong: CWE-916 SHA-1 of a password
exports.hashSha1 = (password) => createHash("sha1").update(password, "utf8").digest("base64");
// wrong: CWE-916 a fast hash for a password
exports.hashFast = (user, password) => createHash("sha256").update(user.salt + password).digest("hex");
// right: CWE-916 bcrypt
exports.hashBcrypt = (password) => bcrypt.hash(password, 12);
// wrong: CWE-916 too few rounds
exports.hashFewRounds = (password) => bcrypt.hashSync(password, 4);
// right: CWE-916 argon2id
exports.hashArgon = (password) => argon2.hash(password, { type: argon2.argon2id });
// wrong: CWE-916 a thousand iterations
exports.derive = (password, salt) => pbkdf2Sync(password, salt, 1000, 32, "sha256");
// right: CWE-916 six hundred thousand iterations
exports.deriveMany = (password, salt) => pbkdf2Sync(password, salt, 600_000, 32, "sha256");

exports.deriveLater = (password, salt, done) => {
  // wrong: CWE-916 one iteration
  pbkdf2(password, salt, 1, 64, "sha512", done);
};

exports.deriveConstant = (password) => {
  // wrong: CWE-760 salt in the source
  return pbkdf2Sync(password, "the-same-salt", 600_000, 32, "sha512");
};

exports.etag = (file) => {
  // right: CWE-327 checksum of a file for a cache
  const etag = createHash("md5").update(fs.readFileSync(file)).digest("hex");
  return `"${etag}"`;
};

exports.gravatar = (email) => {
  // right: CWE-327 a picture service asks for MD5
  return "https://www.gravatar.com/avatar/" + md5(email.trim().toLowerCase());
};

exports.store = async (users, name, password) => {
  // wrong: CWE-916 package md5 for a password
  await users.insert({ name, password: md5(password) });
};

exports.storeSha = async (users, name, passwd) => {
  // wrong: CWE-916 package js-sha1 for a password
  await users.insert({ name, hash: sha1(passwd) });
};

exports.sign = (text) => {
  // right: CWE-327 SHA-256 in a code of authenticity
  return createHmac("sha256", process.env.SIGNING_KEY).update(text).digest("hex");
};

exports.signMd5 = (text) => {
  // wrong: CWE-327 MD5 in a signature
  return crypto.createSign("RSA-MD5").update(text).sign(process.env.PRIVATE_KEY, "hex");
};

exports.signHard = (text) => {
  // wrong: CWE-321 key in the source
  return createHmac("sha256", "a-key-written-into-the-code").update(text).digest("hex");
};

exports.verify = (text, signature, publicKey) => {
  // right: CWE-327 SHA-256 with RSA
  return crypto.createVerify("RSA-SHA256").update(text).verify(publicKey, signature, "hex");
};

exports.scrypt = (password, salt) => {
  // wrong: CWE-916 cost of two
  return scryptSync(password, salt, 32, { N: 2, r: 8, p: 1 });
};
