import crypto, { createDiffieHellman, createECDH, generateKeyPair, generateKeyPairSync, getDiffieHellman, privateDecrypt, publicEncrypt } from "node:crypto";
import forge from "node-forge";
import NodeRSA from "node-rsa";

// wrong: CWE-326 1024 bits
export const small = generateKeyPairSync("rsa", { modulusLength: 1024 });
// right: CWE-326 3072 bits
export const large = generateKeyPairSync("rsa", { modulusLength: 3072 });
// wrong: CWE-326 512 bits, callback
generateKeyPair("rsa", { modulusLength: 512 }, (error, publicKey) => console.log(error, publicKey?.type));
// right: CWE-326 Ed25519
export const edwards = generateKeyPairSync("ed25519");
// wrong: CWE-326 weak curve
export const weakCurve = generateKeyPairSync("ec", { namedCurve: "secp112r1" });
// right: CWE-326 strong curve
export const strongCurve = generateKeyPairSync("ec", { namedCurve: "P-256" });
// wrong: CWE-326 small prime
export const dh = createDiffieHellman(512);
// right: CWE-326 large prime
export const dhLarge = createDiffieHellman(3072);
// wrong: CWE-326 first group
export const group = getDiffieHellman("modp1");
// right: CWE-326 group of 4096 bits
export const groupLarge = getDiffieHellman("modp16");
// right: CWE-326 elliptic agreement
export const ecdh = createECDH("prime256v1");
// wrong: CWE-326 node-forge with 1024 bits
export const forgePair = forge.pki.rsa.generateKeyPair({ bits: 1024 });
// right: CWE-326 node-forge with 2048 bits
export const forgePairLarge = forge.pki.rsa.generateKeyPair(2048);
// wrong: CWE-326 node-rsa with 512 bits
export const nodeRsa = new NodeRSA({ b: 512 });
// right: CWE-326 node-rsa with 4096 bits
export const nodeRsaLarge = new NodeRSA({ b: 4096 });
// wrong: CWE-780 old padding
export const sealed = (key: string, data: Buffer) => publicEncrypt({ key, padding: crypto.constants.RSA_PKCS1_PADDING }, data);
// right: CWE-780 OAEP
export const sealedOaep = (key: string, data: Buffer) => publicEncrypt({ key, padding: crypto.constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" }, data);
// wrong: CWE-780 no padding
export const opened = (key: string, data: Buffer) => privateDecrypt({ key, padding: crypto.constants.RSA_NO_PADDING }, data);

export async function browserKeys(password: string, data: Uint8Array) {
  // wrong: CWE-326 web crypto with 1024 bits
  await globalThis.crypto.subtle.generateKey({ name: "RSA-OAEP", modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" }, true, ["encrypt"]);
  // right: CWE-326 web crypto with 4096 bits
  await globalThis.crypto.subtle.generateKey({ name: "RSA-OAEP", modulusLength: 4096, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" }, false, ["encrypt"]);
  const material = await globalThis.crypto.subtle.importKey("raw", new TextEncoder().encode(password), "PBKDF2", false, ["deriveKey"]);
  const salt = globalThis.crypto.getRandomValues(new Uint8Array(16));
  const aes = { name: "AES-GCM", length: 256 };
  // wrong: CWE-916 web crypto with few iterations
  const weak = await globalThis.crypto.subtle.deriveKey({ name: "PBKDF2", salt, iterations: 1000, hash: "SHA-256" }, material, aes, false, ["encrypt"]);
  // right: CWE-916 web crypto with many iterations
  const strong = await globalThis.crypto.subtle.deriveKey({ name: "PBKDF2", salt, iterations: 600_000, hash: "SHA-256" }, material, aes, false, ["encrypt"]);
  // wrong: CWE-329 vector of zeros in web crypto
  await globalThis.crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, weak, data);
  // right: CWE-329 random vector in web crypto
  await globalThis.crypto.subtle.encrypt({ name: "AES-GCM", iv: globalThis.crypto.getRandomValues(new Uint8Array(12)) }, strong, data);
  // wrong: CWE-916 SHA-1 of a password in the browser
  return globalThis.crypto.subtle.digest("SHA-1", new TextEncoder().encode(password));
}
