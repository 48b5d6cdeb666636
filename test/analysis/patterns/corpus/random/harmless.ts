import { setTimeout as sleep } from "node:timers/promises";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";

export async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 4) throw error;
      // right: CWE-338 jitter of a pause
      await sleep(2 ** attempt * 100 + Math.random() * 50);
    }
  }
}

export function colour(): string {
  // right: CWE-338 a colour
  return `hsl(${Math.floor(Math.random() * 360)} 70% 50%)`;
}

export function shuffle<T>(cards: T[]): T[] {
  for (let i = cards.length - 1; i > 0; i--) {
    // right: CWE-338 shuffles pictures of a gallery
    const j = Math.floor(Math.random() * (i + 1));
    [cards[i], cards[j]] = [cards[j]!, cards[i]!];
  }
  return cards;
}

export function elementId(): string {
  // right: CWE-338 id of an element on a page
  return "tooltip-" + Math.random().toString(36).slice(2, 8);
}

export function variant(): "a" | "b" {
  // right: CWE-338 half of the visitors see another button
  return Math.random() < 0.5 ? "a" : "b";
}

export function verificationToken(): string {
  // wrong: CWE-338 helper named harmless, value is not
  return [elementId(), Math.random().toString(16)].join("");
}

export function started(): number {
  // right: CWE-338 a time stamp
  const createdAt = Date.now();
  return createdAt;
}

export function temporary(data: string): string {
  const name = join(tmpdir(), `report-${Date.now()}.txt`);
  // wrong: CWE-377 name in the shared folder can be guessed
  writeFileSync(name, data);
  return name;
}

export function temporaryFolder(data: string): string {
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  const name = join(folder, "report.txt");
  // right: CWE-377 folder of our own
  writeFileSync(name, data, { mode: 0o600 });
  return name;
}

export function temporaryFixed(data: string): void {
  // wrong: CWE-377 fixed name in the shared folder
  writeFileSync("/tmp/import-cache.json", data);
}

export function temporaryExclusive(data: string): void {
  // right: CWE-377 unguessable name, created exclusively
  writeFileSync(join(tmpdir(), `${randomUUID()}.json`), data, { flag: "wx", mode: 0o600 });
}

export function encryptionKey(): string {
  let secretKey = "";
  // wrong: CWE-338 key out of Math.random
  while (secretKey.length < 32) secretKey += Math.random().toString(16)[2];
  return secretKey;
}

export function nonce(): Uint8Array {
  // right: CWE-338 random values of web crypto
  return crypto.getRandomValues(new Uint8Array(12));
}
