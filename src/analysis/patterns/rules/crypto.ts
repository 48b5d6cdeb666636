import type { Condition, Setting } from "../row.ts";

/** Names of secret values. */
const SECRET_NAME =
  /pass(?:word|wd|phrase)?|secret|token|api_?key|otp|nonce|salt|session_?id|csrf|auth|credential|private|\bkey\b|_key|Key\b|\biv\b|invite|reset|code\b|Code\b/i;

/** The neighbors of the number, or what is made of it, say that a key is derived: `iterations` alone is a name that anything may have. */
const OF_A_DERIVATION: Condition = {
  any: [
    { statement: /pbkdf2|derive|scrypt/i },
    ...["name", "salt", "hash", "hasher", "keySize", "keyLength", "keylen", "digest"].map((option) => ({
      ...{ argument: 1, option },
      present: true as const,
    })),
  ],
};

/** Hashes, ciphers, keys, passwords and numbers that have to be unforeseeable. */
export const CRYPTO_SETTINGS: readonly Setting[] = [
  {
    id: "crypto/weak-web-hash",
    title: "Weak hash (SHA-1)",
    cwe: 328,
    severity: "warning",
    calls: "crypto.subtle.digest *.subtle.digest crypto:subtle.digest|webcrypto.subtle.digest subtle.digest *.digest",
    on: /^(?:subtle|webcrypto|crypto)$/,
    when: {
      any: [
        { argument: 0, is: [/^SHA-1$/i] },
        { argument: 0, option: "name", is: [/^SHA-1$/i] },
      ],
    },
    wrong: `const digest = await crypto.subtle.digest("SHA-1", data);`,
    right: `const digest = await crypto.subtle.digest("SHA-256", data);`,
    fix: { value: '"SHA-256"' },
    words: {
      what: "SHA-1 is broken.",
      attack: "An attacker can make other data with the same hash.",
      mend: "Use SHA-256.",
    },
  },
  {
    id: "crypto/short-web-key",
    title: "Key too short",
    cwe: 326,
    severity: "warning",
    calls: "crypto.subtle.generateKey *.generateKey",
    on: /^(?:subtle|webcrypto|crypto)$/,
    when: { argument: 0, option: "modulusLength", below: 2048 },
    wrong: `const key = await crypto.subtle.generateKey({ name: "RSA-PSS", modulusLength: 1024, publicExponent, hash: "SHA-256" }, true, ["sign"]);`,
    right: `const key = await crypto.subtle.generateKey({ name: "RSA-PSS", modulusLength: 3072, publicExponent, hash: "SHA-256" }, true, ["sign"]);`,
    fix: { value: "3072" },
    words: {
      what: "This key is too short.",
      attack: "Keys of this length have been broken.",
      mend: "Use at least 2048 bits, better 3072.",
    },
  },
  {
    id: "crypto/short-curve",
    title: "Weak elliptic curve",
    cwe: 326,
    severity: "warning",
    calls: "crypto:createECDH *.createECDH",
    when: {
      argument: 0,
      is: [/^(?:secp(?:112|128|160|192)|sect(?:113|131|163|193)|prime192|c2pnb|wap-wsg|brainpoolP(?:160|192))/],
    },
    wrong: `const exchange = require("node:crypto").createECDH("secp112r1");`,
    right: `const exchange = require("node:crypto").createECDH("prime256v1");`,
    fix: { value: '"prime256v1"' },
    words: {
      what: "This curve is too short.",
      attack: "An attacker with enough machines computes the key.",
      mend: "Use `prime256v1`, or X25519.",
    },
  },
  {
    id: "crypto/weak-hash",
    title: "Weak hash (MD5 or SHA-1)",
    fix: { replace: [/^(["'`])(?:md[245]|sha-?1|ripemd(?:160)?)\1$/i, "$1sha256$1"] },
    unlessSaid: "crypto/password-hash",
    cwe: 328,
    severity: "info",
    calls:
      "crypto:createHash|createHmac|createSign|createVerify|hash *.createHash|createHmac|createSign|createVerify md5: blueimp-md5: js-md5: sha1: js-sha1: crypto-js:MD5|SHA1|HmacMD5|HmacSHA1 crypto-js/md5: crypto-js/sha1: CryptoJS.MD5|SHA1|HmacMD5|HmacSHA1 ts-md5:Md5.hashStr Bun.CryptoHasher",
    when: {
      any: [
        { argument: 0, is: [/^(?:rsa-)?(?:md[245]|sha-?1|ripemd(?:160)?)(?:withrsa)?$/i] },
        { text: /^(?:new\s+)?(?:\w+\.)*(?:md5|sha1|MD5|SHA1|HmacMD5|HmacSHA1|hashStr)\(/ },
      ],
    },
    unless: { any: [{ statement: /etag|gravatar|cache|checksum|fingerprint|version/i }, { text: /[eE]tag|gravatar/ }] },
    confidence: 0.6,
    wrong: `const hash = require("node:crypto").createHash("md5").update(text).digest("hex");`,
    right: `const hash = require("node:crypto").createHash("sha256").update(text).digest("hex");`,
    words: {
      what: "A broken hash function is used (MD5 or SHA-1).",
      attack: "Two texts with the same hash can be made.",
      mend: "Use SHA-256; for passwords scrypt, bcrypt or Argon2.",
    },
  },
  {
    id: "crypto/password-hash",
    title: "Password hashed with a fast hash",
    cwe: 916,
    severity: "warning",
    calls: "*.update crypto:createHash().update crypto:hash crypto-js:..SHA256|SHA512|SHA3 CryptoJS.SHA256|SHA512",
    when: {
      all: [
        {
          any: [
            { argument: 0, reads: /^[\w.]*pass(?:word|wd|phrase)[\w.]*$/i },
            { argument: 1, reads: /^[\w.]*pass(?:word|wd)[\w.]*$/i },
          ],
        },
        { any: [{ text: /createHash\s*\(\s*["'](?:md5|sha\d*|sha-\d+|sha3)|crypto\.hash|SHA/i }] },
      ],
    },
    wrong: `const hash = require("node:crypto").createHash("sha256").update(password).digest("hex");`,
    right: `const hash = require("node:crypto").scryptSync(password, salt, 64);`,
    words: {
      what: "A password is hashed by a function that is quick.",
      attack: "An attacker with the hashes tries billions of passwords a second.",
      mend: "Use scrypt, bcrypt or Argon2.",
    },
  },
  {
    id: "crypto/weak-cipher",
    title: "Weak cipher",
    cwe: 327,
    severity: "error",
    calls:
      "crypto:createCipheriv|createDecipheriv|createCipher|createDecipher|getCipherInfo *!.createCipheriv|createDecipheriv|createCipher|createDecipher",
    when: { argument: 0, is: [/^(?:des|des3|des-|rc2|rc4|arcfour|bf|blowfish|cast|seed|idea|3des)|-ecb$|^aes-?\d+$/i] },
    wrong: `const cipher = require("node:crypto").createCipheriv("des-ede3-cbc", key, iv);`,
    right: `const cipher = require("node:crypto").createCipheriv("aes-256-gcm", key, iv);`,
    words: {
      what: "A broken cipher or mode is used.",
      attack: "What it encrypts can be read without the key, or shows its structure.",
      mend: "Use `aes-256-gcm` or `chacha20-poly1305`.",
    },
  },
  {
    id: "crypto/key-from-password",
    title: "Weak key derivation",
    cwe: 916,
    severity: "warning",
    calls: "crypto:createCipher|createDecipher *!.createCipher|createDecipher",
    on: /crypto/i,
    wrong: `const cipher = require("node:crypto").createCipher("aes-256-cbc", password);`,
    right: `const cipher = require("node:crypto").createCipheriv("aes-256-gcm", key, iv);`,
    words: {
      what: "The key is made from a password by MD5, without salt.",
      attack: "Passwords are tried by the billion, and equal texts give equal ciphertext.",
      mend: "Use `createCipheriv` with a key from scrypt and a random IV.",
    },
  },
  {
    id: "crypto/old-library-cipher",
    title: "Weak cipher",
    cwe: 327,
    severity: "warning",
    calls:
      "crypto-js:DES.encrypt|TripleDES.encrypt|RC4.encrypt|Rabbit.encrypt|DES.decrypt|TripleDES.decrypt|RC4.decrypt|RC4Drop.encrypt CryptoJS.DES.encrypt|decrypt CryptoJS.TripleDES.encrypt|decrypt CryptoJS.RC4.encrypt|decrypt CryptoJS.Rabbit.encrypt|decrypt node-forge:cipher.createCipher forge.cipher.createCipher crypto-js/tripledes:encrypt crypto-js/rc4:encrypt",
    when: {
      any: [
        { text: /(?:DES|TripleDES|RC4|Rabbit|RC4Drop)\.|tripledes|rc4/ },
        { argument: 0, is: [/^(?:3?DES|RC2|.*-ECB)/i] },
      ],
    },
    wrong: `const text = CryptoJS.TripleDES.encrypt(message, key);`,
    right: `const text = CryptoJS.AES.encrypt(message, key);`,
    words: {
      what: "A broken cipher is used.",
      attack: "What it encrypts can be read without the key.",
      mend: "Use AES-GCM of `node:crypto` or of webcrypto.",
    },
  },
  {
    id: "crypto/ecb-mode",
    title: "ECB encryption mode",
    cwe: 327,
    severity: "warning",
    properties: "mode",
    when: { argument: 0, reads: /\bmode\.ECB$|^["']ECB["']$/ },
    wrong: `const text = CryptoJS.AES.encrypt(message, key, { mode: CryptoJS.mode.ECB });`,
    right: `const text = CryptoJS.AES.encrypt(message, key, { mode: CryptoJS.mode.CTR });`,
    words: {
      what: "Data is encrypted block by block (ECB).",
      attack: "Equal blocks give equal ciphertext, so its structure stays visible.",
      mend: "Use an authenticated mode such as GCM.",
    },
  },
  {
    id: "crypto/fixed-iv",
    title: "Fixed initialization vector (IV)",
    cwe: 329,
    severity: "warning",
    calls: "crypto:createCipheriv *!.createCipheriv",
    when: {
      any: [
        { argument: 2, written: true },
        { argument: 2, reads: /^Buffer\.(?:alloc\(|from\(\s*["'][^"']*["'])/ },
      ],
    },
    wrong: `const cipher = require("node:crypto").createCipheriv("aes-256-cbc", key, "1234567890123456");`,
    right: `const cipher = require("node:crypto").createCipheriv("aes-256-gcm", key, require("node:crypto").randomBytes(12));`,
    words: {
      what: "The initialization vector is the same every time.",
      attack: "Equal texts give equal ciphertext; with GCM the key itself is lost.",
      mend: "Make it with `randomBytes` for each message and send it along.",
    },
  },
  {
    id: "crypto/fixed-iv",
    title: "Fixed initialization vector (IV)",
    cwe: 329,
    severity: "warning",
    properties: "iv",
    when: {
      all: [
        {
          argument: 0,
          reads: /^new Uint8Array\(\s*(?:\d+|\[[\d,\s]*\])\s*\)$|^new TextEncoder\(\)\.encode\(\s*["'][^"']*["']\s*\)$/,
        },
        { argument: 1, option: "name", is: [/^AES-/i] },
      ],
    },
    wrong: `const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, data);`,
    right: `const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: crypto.getRandomValues(new Uint8Array(12)) }, key, data);`,
    words: {
      what: "The initialization vector is the same every time.",
      attack: "Equal texts give equal ciphertext; with GCM the key itself is lost.",
      mend: "Make it with `crypto.getRandomValues` for each message and send it along.",
    },
  },
  {
    id: "crypto/no-tag-length",
    title: "Authentication tag length not set",
    cwe: 310,
    severity: "warning",
    calls: "crypto:createDecipheriv *.createDecipheriv",
    when: {
      all: [
        { argument: 0, is: [/-(?:gcm|ccm|ocb)$/i] },
        {
          any: [
            { argument: 3, missing: true },
            { argument: 3, option: "authTagLength", missing: true },
          ],
        },
        { not: { file: /getAuthTag\(\)\s*\.length|authTagLength|\.length\s*!==?\s*16/ } },
      ],
    },
    wrong: `const decipher = require("node:crypto").createDecipheriv("aes-256-gcm", key, iv);`,
    right: `const decipher = require("node:crypto").createDecipheriv("aes-256-gcm", key, iv, { authTagLength: 16 });`,
    words: {
      what: "A tag of any length is accepted.",
      attack: "A tag of four bytes is guessed in a few tries, and forged messages are taken.",
      mend: "Say `{ authTagLength: 16 }`.",
    },
  },
  {
    id: "crypto/short-key",
    title: "Key too short",
    cwe: 326,
    severity: "error",
    calls:
      "crypto:generateKeyPair|generateKeyPairSync *!.generateKeyPair|generateKeyPairSync crypto.subtle.generateKey *!.subtle.generateKey node-rsa: node-forge:pki.rsa.generateKeyPair forge.pki.rsa.generateKeyPair",
    when: {
      any: [
        { argument: 1, option: "modulusLength", below: 2048 },
        { argument: 0, option: "modulusLength", below: 2048 },
        { argument: 0, option: "b", below: 2048 },
        { argument: 0, option: "bits", below: 2048 },
        { argument: 0, below: 2048 },
        { argument: 1, option: "namedCurve", is: [/^(?:secp1\d\d|secp2[0-1]\d|prime192|sect1)/] },
      ],
    },
    wrong: `require("node:crypto").generateKeyPairSync("rsa", { modulusLength: 1024 });`,
    right: `require("node:crypto").generateKeyPairSync("rsa", { modulusLength: 3072 });`,
    words: {
      what: "This key is too short.",
      attack: "Keys of this length can be broken.",
      mend: "At least 2048 bits for RSA, 224 for elliptic curves.",
    },
  },
  {
    id: "crypto/few-rounds",
    title: "Weak password hash: too few rounds",
    cwe: 916,
    severity: "warning",
    calls: "crypto:pbkdf2|pbkdf2Sync *.pbkdf2|pbkdf2Sync bcrypt|bcryptjs:hash|hashSync|genSalt|genSaltSync",
    when: {
      any: [
        { all: [{ text: /pbkdf2/ }, { argument: 2, below: 10_000 }] },
        { all: [{ text: /bcrypt|[hH]ash|genSalt/ }, { argument: 1, below: 8 }] },
        { all: [{ text: /genSalt/ }, { argument: 0, below: 8 }] },
      ],
    },
    wrong: `require("node:crypto").pbkdf2Sync(password, salt, 1000, 64, "sha512");`,
    right: `require("node:crypto").pbkdf2Sync(password, salt, 210000, 64, "sha512");`,
    words: {
      what: "So few rounds take hardly any time.",
      attack: "An attacker with the hashes tries millions of passwords a second.",
      mend: "At least 210,000 rounds of PBKDF2, 10 of bcrypt.",
    },
  },
  {
    id: "crypto/short-group",
    title: "Weak Diffie-Hellman group",
    cwe: 326,
    severity: "error",
    calls: "crypto:createDiffieHellman|getDiffieHellman|createDiffieHellmanGroup",
    when: {
      any: [
        { argument: 0, below: 2048 },
        { argument: 0, is: ["modp1", "modp2", "modp5"] },
      ],
    },
    wrong: `const dh = require("node:crypto").createDiffieHellman(512);`,
    right: `const dh = require("node:crypto").getDiffieHellman("modp14");`,
    words: {
      what: "This group is too small.",
      attack: "Keys that are agreed on in it can be computed.",
      mend: "Use X25519, or at least 2048 bits.",
    },
  },
  {
    id: "crypto/old-padding",
    title: "Weak RSA padding",
    cwe: 780,
    severity: "warning",
    properties: "padding",
    when: { argument: 0, reads: /RSA_PKCS1_PADDING|RSA_NO_PADDING|^["']RSAES-PKCS1/ },
    wrong: `const text = privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, data);`,
    right: `const text = privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING }, data);`,
    words: {
      what: "RSA is used with a padding that is broken.",
      attack: "Answers to many forged messages tell the text.",
      mend: "Use OAEP.",
    },
  },
  {
    id: "crypto/few-iterations",
    title: "Weak key derivation: too few iterations",
    cwe: 916,
    severity: "warning",
    properties: "iterations N",
    when: {
      any: [
        { all: [{ text: /^iterations/ }, { argument: 0, below: 10_000 }, OF_A_DERIVATION] },
        { all: [{ text: /^N\b/ }, { argument: 0, below: 8192 }] },
      ],
      file: /PBKDF2|pbkdf2|scrypt/,
    },
    wrong: `const key = scryptSync(password, salt, 32, { N: 2 });`,
    right: `const key = scryptSync(password, salt, 32, { N: 32768 });`,
    words: {
      what: "So little work takes hardly any time.",
      attack: "An attacker with the hashes tries millions of passwords a second.",
      mend: "At least N = 2^15 of scrypt, 210,000 rounds of PBKDF2.",
    },
  },
  {
    id: "crypto/few-iterations",
    title: "Weak key derivation: too few iterations",
    cwe: 916,
    severity: "info",
    properties: "iterations",
    when: { all: [{ argument: 0, below: 10_000 }, { not: OF_A_DERIVATION }], file: /PBKDF2|pbkdf2/ },
    confidence: 0.5,
    wrong: `const limits = { iterations: 1000, algorithm: "sha256" }; // for PBKDF2`,
    right: `const limits = { iterations: 210_000, algorithm: "sha256" }; // for PBKDF2`,
    words: {
      what: "So little work takes hardly any time.",
      attack: "An attacker with the hashes tries millions of passwords a second.",
      mend: "At least N = 2^15 of scrypt, 210,000 rounds of PBKDF2.",
    },
  },
  {
    id: "crypto/argon-kind",
    title: "Weak Argon2 variant",
    cwe: 916,
    severity: "info",
    calls: "argon2:hash",
    when: { argument: 1, option: "type", reads: /argon2[di]$/ },
    wrong: `const hash = await require("argon2").hash(password, { type: argon2.argon2i });`,
    right: `const hash = await require("argon2").hash(password, { type: argon2.argon2id });`,
    words: {
      what: "This kind of Argon2 resists only half of the attacks.",
      attack: "It is tried faster on graphics cards, or watched from the same machine.",
      mend: "Use `argon2id`.",
    },
  },
  {
    id: "crypto/fixed-salt",
    title: "Fixed salt",
    cwe: 760,
    severity: "warning",
    calls:
      "crypto:pbkdf2|pbkdf2Sync|scrypt|scryptSync|hkdf|hkdfSync *.pbkdf2Sync|scryptSync|pbkdf2|scrypt bcrypt|bcryptjs:hash|hashSync",
    when: {
      any: [
        { all: [{ text: /pbkdf2|scrypt/ }, { argument: 1, written: true }] },
        { all: [{ text: /bcrypt|hash/ }, { argument: 1, written: true }] },
      ],
    },
    wrong: `require("node:crypto").scryptSync(password, "salt", 64);`,
    right: `require("node:crypto").scryptSync(password, randomBytes(16), 64);`,
    words: {
      what: "The salt is the same for everybody.",
      attack: "One table of hashes opens all accounts at once.",
      mend: "Make it with `randomBytes(16)` for each password and store it with the hash.",
    },
  },
  {
    id: "crypto/plain-random",
    title: "Insecure random numbers for a secret",
    cwe: 338,
    severity: "warning",
    calls:
      "Math.random random-number: crypto:pseudoRandomBytes *.pseudoRandomBytes lodash:random _.random seedrandom: nanoid/non-secure:nanoid uuid:v1 uuid/v1:",
    when: {
      any: [{ text: /pseudoRandomBytes/ }, { statement: SECRET_NAME }],
    },
    confidence: 0.7,
    wrong: `const token = Math.random().toString(36).slice(2);`,
    right: `const token = require("node:crypto").randomBytes(16).toString("hex");`,
    words: {
      what: "A secret is made from numbers that can be foretold.",
      attack: "A few of them are enough to compute the next ones, other people's tokens among them.",
      mend: "Use `crypto.randomBytes` or `crypto.randomUUID`.",
    },
  },
  {
    id: "crypto/timing",
    title: "Timing attack",
    cwe: 208,
    severity: "info",
    compares:
      /(?:^|[-_])(?:password|passwd|secret|token|signature|hmac|digest|apikey|api_key|hash|mac|csrf|sig)$|(?:Password|Secret|Token|Signature|Hmac|Digest|ApiKey|Hash|Mac|Sig)$/,
    wrong: `export function check(signature, expected) { return signature === expected; }`,
    right: `export function check(signature, expected) { return timingSafeEqual(signature, expected); }`,
    words: {
      what: "A secret is compared character by character.",
      attack: "The time until it differs tells how much of a guess was right.",
      mend: "Compare hashes of both with `crypto.timingSafeEqual`.",
    },
  },
];
