import { describe, expect, it } from "vitest";
import { lookForKey } from "../../src/safety/secrets/private-keys.ts";
import type { Span } from "../../src/safety/text-spans.ts";
import fc from "../properties.ts";

const BEGIN = ["-----BEGIN", "PRIVATE KEY-----"].join(" ");
const END = ["-----END", "PRIVATE KEY-----"].join(" ");
const KEY = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2";

/** The first line of a key of RSA, of which this much is the same in each. */
const HEADER = "MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQ".padEnd(64, "D");

function hidden(text: string): string[] {
  const spans: Span[] = [];
  lookForKey(text, text.indexOf(BEGIN), spans);
  return spans.map(({ from, to }) => text.slice(from, to));
}

describe("SEC-6: private keys", () => {
  it.each([
    ["below its first line", `${BEGIN}\n${KEY}\n${END}`, [BEGIN, KEY, END]],
    ["in a string of code", `k = "${BEGIN}\\n${KEY}\\n${END}";`, [`${BEGIN}\\n${KEY}\\n${END}`]],
    ["that is joined by signs", `${BEGIN}" + "${KEY}" + "${KEY}";`, [`${BEGIN}" + "${KEY}" + "${KEY}`]],
    ["two on one line", `${BEGIN} ${KEY} ${END} ${BEGIN} ${KEY} ${END}`, Array(2).fill(`${BEGIN} ${KEY} ${END}`)],
    ["below many first lines in one", `${BEGIN.repeat(60)}\n${KEY}\n`, [BEGIN, KEY]],
    ["that shares its dashes", `${BEGIN.slice(0, -5)}${BEGIN} ${KEY}`, [`${BEGIN} ${KEY}`]],
    ["behind its headers", `${BEGIN}\nVersion: 1\n\n${KEY}\n${END}`, [BEGIN, KEY, END]],
    ["cut off behind its first line, which is alike in all keys", `${BEGIN}\n${HEADER}`, [BEGIN, HEADER]],
    ["cut off in front of its end", `${BEGIN}\n${HEADER}\nqQ==\n`, [BEGIN, HEADER, "qQ=="]],
    ["none, but a short word", `${BEGIN}\nMINE\n`, []],
    ["no key", `${BEGIN}\nnothing of one\n`, []],
  ])("finds one: %s", (_where, text, expected) => {
    expect(hidden(text)).toEqual(expected);
  });

  it("SEC-8: takes the same lines for those of a key as the pattern before, which tried each in n ways", () => {
    const old = /^[A-Za-z0-9+/=]{1,20000}(?=(?:\\[nr]|[\s"'`,;+\\()])*$)/;
    const part = fc.constantFrom("+", "A", "=", "\\n", "\\", "!", '"', ",", "n", " ");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        // Letters in front, which no gutter takes away, and a line behind that makes all of it a key.
        const line = `aB${parts.join("")}`;
        const key = old.exec(line)?.[0];
        expect(hidden(`${BEGIN}\n${line}\n${KEY}\n`)).toEqual(key === undefined ? [] : [BEGIN, key, KEY]);
      }),
    );
  });
});
