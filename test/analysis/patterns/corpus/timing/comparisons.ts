import { createHmac, createHash, timingSafeEqual } from "node:crypto";
import express, { type Request, type Response } from "express";
import safeCompare from "safe-compare";

const app = express();

function digest(body: string): string {
  return createHmac("sha256", process.env.HOOK_SECRET!).update(body).digest("hex");
}

app.post("/hook", express.text(), (req: Request, res: Response) => {
  const signature = req.get("x-signature");
  // wrong: CWE-208 signature compared letter by letter
  if (signature !== digest(req.body)) return res.sendStatus(401);
  return res.sendStatus(204);
});

app.post("/hook-safe", express.text(), (req: Request, res: Response) => {
  const given = Buffer.from(req.get("x-signature") ?? "");
  const expected = Buffer.from(digest(req.body));
  // right: CWE-208 constant time after the lengths
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return res.sendStatus(401);
  return res.sendStatus(204);
});

app.get("/api", (req, res) => {
  // wrong: CWE-208 key compared with an operator
  if (req.headers["x-api-key"] === process.env.API_KEY) return res.json({ ok: true });
  return res.sendStatus(401);
});

app.get("/api-safe", (req, res) => {
  // right: CWE-208 safe-compare
  if (safeCompare(String(req.headers["x-api-key"]), process.env.API_KEY!)) return res.json({ ok: true });
  return res.sendStatus(401);
});

export function sameToken(token: string, expectedToken: string): boolean {
  // wrong: CWE-208 localeCompare of tokens
  return token.localeCompare(expectedToken) === 0;
}

export function sameBuffer(mac: Buffer, expectedMac: Buffer): boolean {
  // wrong: CWE-208 equals of a buffer stops early
  return mac.equals(expectedMac);
}

export function sameHashes(token: string, expectedToken: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  // right: CWE-208 hashes of one length
  return timingSafeEqual(hash(token), hash(expectedToken));
}

export function isSet(token: string | undefined): boolean {
  // right: CWE-208 only whether there is one
  return token !== undefined && token !== "";
}

export function confirmed(password: string, passwordAgain: string): boolean {
  // right: CWE-208 two fields of one form
  return password === passwordAgain;
}

export function kind(tokenType: string): boolean {
  // right: CWE-208 kind of a token is no secret
  return tokenType === "Bearer";
}

export function checkHmac(body: string, hmac: string): boolean {
  const computed = createHmac("sha1", process.env.HOOK_SECRET!).update(body).digest("base64");
  // wrong: CWE-208 loose operator on a code of authenticity
  return hmac == computed;
}

export function startsAlike(apiKey: string): boolean {
  // right: CWE-208 a public prefix
  return apiKey.startsWith("shop_");
}

export default app;
