import * as crypto from "node:crypto";
import bcrypt from "bcrypt";
import https from "https";
import tls from "tls";
import CryptoJS from "crypto-js";
import forge from "node-forge";

export function hash(data: string, password: string) {
  // wrong: CWE-328
  const a = crypto.createHash("md5").update(data).digest("hex");
  // right: CWE-328
  const b = crypto.createHash("sha256").update(data).digest("hex");
  // wrong: CWE-328
  const c = crypto.createHash("sha1").update(password).digest("hex");
  // wrong: CWE-916
  const d = crypto.pbkdf2Sync(password, salt, 1000, 64, "sha512");
  // right: CWE-916
  const e = crypto.pbkdf2Sync(password, salt, 600_000, 64, "sha512");
  // wrong: CWE-916
  const f = bcrypt.hashSync(password, 4);
  // right: CWE-916
  const g = bcrypt.hashSync(password, 12);
  // wrong: CWE-760
  const h = crypto.scryptSync(password, "salt", 32);
  // wrong: CWE-328
  const i = CryptoJS.MD5(data).toString();
  // right: CWE-328
  const j = CryptoJS.SHA256(data).toString();
  // wrong: CWE-916
  const k = crypto.createHash("sha256").update(password).digest("hex");
  return [a, b, c, d, e, f, g, h, i, j, k];
}

export function encrypt(text: string, key: Buffer) {
  // wrong: CWE-327
  const a = crypto.createCipheriv("des-ede3-cbc", key, iv);
  // right: CWE-327
  const b = crypto.createCipheriv("aes-256-gcm", key, crypto.randomBytes(12));
  // wrong: CWE-327
  const c = crypto.createCipher("aes-256-cbc", "password");
  // wrong: CWE-327
  const d = crypto.createCipheriv("aes-128-ecb", key, null);
  // wrong: CWE-329
  const e = crypto.createCipheriv("aes-256-cbc", key, "1234567890123456");
  // wrong: CWE-329
  const f = crypto.createCipheriv("aes-256-gcm", key, Buffer.alloc(12, 0));
  // wrong: CWE-327
  const g = crypto.createCipheriv("rc4", key, "");
  // wrong: CWE-310
  const h = crypto.createDecipheriv("aes-256-gcm", key, iv);
  // right: CWE-310
  const i = crypto.createDecipheriv("aes-256-gcm", key, iv, { authTagLength: 16 });
  // wrong: CWE-321
  const j = crypto.createCipheriv("aes-256-cbc", "0123456789abcdef0123456789abcdef", iv);
  // wrong: CWE-327
  const k = CryptoJS.DES.encrypt(text, secret);
  // wrong: CWE-321
  const l = CryptoJS.AES.encrypt(text, "my secret passphrase");
  // right: CWE-321
  const m = CryptoJS.AES.encrypt(text, process.env.KEY);
  return [a, b, c, d, e, f, g, h, i, j, k, l, m];
}

export function keys() {
  // wrong: CWE-326
  const a = crypto.generateKeyPairSync("rsa", { modulusLength: 1024 });
  // right: CWE-326
  const b = crypto.generateKeyPairSync("rsa", { modulusLength: 3072 });
  // wrong: CWE-326
  const c = crypto.createDiffieHellman(512);
  // wrong: CWE-326
  const d = crypto.createECDH("secp112r1");
  // wrong: CWE-326
  const e = forge.pki.rsa.generateKeyPair({ bits: 1024 });
  return [a, b, c, d, e];
}

export function random() {
  // wrong: CWE-338
  const token = Math.random().toString(36).slice(2);
  // right: CWE-338
  const better = crypto.randomBytes(32).toString("hex");
  // wrong: CWE-338
  const resetCode = Math.floor(Math.random() * 1_000_000);
  // right: CWE-338
  const colour = Math.floor(Math.random() * 255);
  // wrong: CWE-338
  const old = crypto.pseudoRandomBytes(16);
  // wrong: CWE-338
  const password = "p" + Math.random();
  return [token, better, resetCode, colour, old, password];
}

export function transport(ca: string) {
  // wrong: CWE-295
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  // wrong: CWE-295
  const a = new https.Agent({ rejectUnauthorized: false });
  // right: CWE-295
  const b = new https.Agent({ ca });
  // wrong: CWE-295
  const c = tls.connect({ host: "a.example.com", checkServerIdentity: () => undefined });
  // wrong: CWE-326
  const d = https.createServer({ secureProtocol: "SSLv3_method" });
  // wrong: CWE-326
  const e = tls.createServer({ minVersion: "TLSv1.1" });
  // right: CWE-326
  const f = tls.createServer({ minVersion: "TLSv1.2" });
  // wrong: CWE-327
  const g = tls.createServer({ ciphers: "RC4:MD5" });
  return [a, b, c, d, e, f, g];
}

export function compare(req, given: string, token: string) {
  // wrong: CWE-208
  if (req.headers["x-token"] === process.env.TOKEN) return true;
  // wrong: CWE-208
  if (token === storedToken) return true;
  // right: CWE-208
  return crypto.timingSafeEqual(Buffer.from(given), Buffer.from(token));
}

export async function web(data: BufferSource) {
  // wrong: CWE-328
  await crypto.subtle.digest("SHA-1", data);
  // right: CWE-328
  await crypto.subtle.digest("SHA-256", data);
  // wrong: CWE-326
  await crypto.subtle.generateKey({ name: "RSA-OAEP", modulusLength: 1024, publicExponent: e, hash: "SHA-256" }, true, ["encrypt"]);
  // wrong: CWE-327
  crypto.privateDecrypt({ key, padding: crypto.constants.RSA_PKCS1_PADDING }, data);
  // right: CWE-327
  crypto.privateDecrypt({ key, padding: crypto.constants.RSA_PKCS1_OAEP_PADDING }, data);
}
