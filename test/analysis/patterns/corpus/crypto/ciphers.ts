import crypto, { createCipheriv, createDecipheriv, randomBytes, scryptSync, type CipherGCM } from "node:crypto";
import CryptoJS from "crypto-js";
import forge from "node-forge";

const key = Buffer.from(process.env.DATA_KEY!, "base64");
const ZERO_IV = Buffer.alloc(16, 0);

export function encryptOld(text: string) {
  // wrong: CWE-327 createCipher derives a weak key
  const cipher = crypto.createCipher("aes-256-cbc", process.env.DATA_KEY!);
  return cipher.update(text, "utf8", "hex") + cipher.final("hex");
}

export function encrypt(text: string) {
  const iv = randomBytes(12);
  // right: CWE-327 GCM with a fresh vector
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

export function encryptDes(text: string) {
  // wrong: CWE-327 DES
  const cipher = createCipheriv("des-ede3-cbc", key.subarray(0, 24), randomBytes(8));
  return cipher.update(text, "utf8", "hex") + cipher.final("hex");
}

export function encryptEcb(text: string) {
  // wrong: CWE-327 ECB shows repetitions
  const cipher = crypto.createCipheriv("aes-128-ecb", key.subarray(0, 16), null);
  return cipher.update(text, "utf8", "hex") + cipher.final("hex");
}

export function encryptRc4(text: string) {
  const algorithm = "rc4";
  // wrong: CWE-327 RC4 by a constant
  const cipher = crypto.createCipheriv(algorithm, key.subarray(0, 16), "");
  return cipher.update(text, "utf8", "hex") + cipher.final("hex");
}

export function encryptStatic(text: string) {
  // wrong: CWE-329 vector of zeros
  const cipher = createCipheriv("aes-256-cbc", key, ZERO_IV);
  return cipher.update(text, "utf8", "hex") + cipher.final("hex");
}

export function encryptLiteral(text: string) {
  // wrong: CWE-329 vector in the source
  const cipher = createCipheriv("aes-256-ctr", key, "0123456789abcdef");
  return cipher.update(text, "utf8", "hex") + cipher.final("hex");
}

export function encryptHardKey(text: string) {
  // wrong: CWE-321 key in the source
  const cipher = createCipheriv("aes-256-gcm", "an-invented-key-of-32-characters", randomBytes(12)) as CipherGCM;
  return cipher.update(text, "utf8", "hex") + cipher.final("hex");
}

export function decrypt(data: Buffer) {
  // right: CWE-329 vector is read from the message
  const decipher = createDecipheriv("aes-256-gcm", key, data.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(data.subarray(-16));
  return Buffer.concat([decipher.update(data.subarray(12, -16)), decipher.final()]).toString("utf8");
}

export function derive(password: string, salt: Buffer) {
  // right: CWE-916 scrypt with a salt of the record
  return scryptSync(password, salt, 32);
}

export function deriveStatic(password: string) {
  // wrong: CWE-760 one salt for everybody
  return scryptSync(password, "salt", 32);
}

// wrong: CWE-327 DES of crypto-js
export const des = (text: string) => CryptoJS.DES.encrypt(text, process.env.DATA_KEY!).toString();
// wrong: CWE-327 ECB of crypto-js
export const ecb = (text: string, k: CryptoJS.lib.WordArray) => CryptoJS.AES.encrypt(text, k, { mode: CryptoJS.mode.ECB }).toString();
// right: CWE-327 CBC with a random vector
export const cbc = (text: string, k: CryptoJS.lib.WordArray) => CryptoJS.AES.encrypt(text, k, { iv: CryptoJS.lib.WordArray.random(16) }).toString();
// wrong: CWE-327 DES of node-forge
export const forgeDes = (k: string) => forge.cipher.createCipher("DES-CBC", k);
// right: CWE-327 AES-GCM of node-forge
export const forgeAes = (k: string) => forge.cipher.createCipher("AES-GCM", k);
