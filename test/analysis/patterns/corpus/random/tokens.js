const crypto = require("crypto");
const { randomBytes, randomUUID, randomInt } = require("crypto");
const { nanoid, customAlphabet } = require("nanoid");
const { nanoid: insecureNanoid } = require("nanoid/non-secure");
const _ = require("lodash");
const seedrandom = require("seedrandom");
const uuid = require("uuid");

exports.token = () => {
  // wrong: CWE-338 Math.random for a token
  const token = Math.random().toString(36).slice(2);
  return token;
};

exports.safeToken = () => {
  // right: CWE-338 bytes of the system
  const token = randomBytes(32).toString("hex");
  return token;
};

exports.password = (length) => {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  let password = "";
  for (let i = 0; i < length; i++) {
    // wrong: CWE-338 letters of a password by Math.random
    password += letters[Math.floor(Math.random() * letters.length)];
  }
  return password;
};

exports.safePassword = (length) => {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  // right: CWE-338 randomInt
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
};

exports.resetCode = (user) => {
  // wrong: CWE-338 six digits by Math.random
  user.resetCode = Math.floor(100000 + Math.random() * 900000);
  return user;
};

exports.safeResetCode = (user) => {
  // right: CWE-338 six digits of the system
  user.resetCode = randomInt(100_000, 1_000_000);
  return user;
};

exports.sessionId = (user) => {
  // wrong: CWE-338 time and name can be guessed
  const sessionId = crypto.createHash("sha256").update(user.name + Date.now()).digest("hex");
  return sessionId;
};

exports.apiKey = () => {
  // wrong: CWE-338 lodash uses Math.random
  const apiKey = _.random(1e9, 9e9).toString(16);
  return apiKey;
};

exports.otp = (seed) => {
  // wrong: CWE-338 seeded generator
  const otp = Math.floor(seedrandom(seed)() * 1e6);
  return otp;
};

exports.csrfToken = () => {
  // wrong: CWE-338 variant of nanoid that says so
  const csrfToken = insecureNanoid();
  return csrfToken;
};

exports.invite = () => {
  // right: CWE-338 nanoid is strong
  const inviteToken = nanoid(24);
  return inviteToken;
};

exports.resetToken = () => {
  // wrong: CWE-338 version 1 is made of time and machine
  const resetToken = uuid.v1();
  return resetToken;
};

exports.session = () => {
  // right: CWE-338 version 4
  const sessionToken = uuid.v4();
  return { sessionToken, other: randomUUID(), short: customAlphabet("0123456789", 8)() };
};
