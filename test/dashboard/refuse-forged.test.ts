import { describe, expect, it } from "vitest";
import { isForged, isToken } from "../../src/dashboard/refuse-forged.ts";

const sent = (method: string, headers: Readonly<Record<string, string>>) =>
  new Request("https://forge.example/runs/1/stop", { method, headers: { host: "forge.example", ...headers } });

const forged = (request: Request) => isForged(request, "https://forge.example");

const CONTENT_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "application/json"];

describe("OPS-2: requests of other sites", () => {
  it.each([...CONTENT_TYPES, "made/up"])("are refused as %s", (type) => {
    const headers = { "content-type": type };
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      expect(forged(sent(method, { ...headers, "sec-fetch-site": "cross-site" }))).toBe(true);
      expect(forged(sent(method, { ...headers, "sec-fetch-site": "same-site" }))).toBe(true);
      expect(forged(sent(method, { ...headers, "sec-fetch-site": "none" }))).toBe(true);
      expect(forged(sent(method, { ...headers, origin: "https://evil.example" }))).toBe(true);
      expect(forged(sent(method, { ...headers, origin: "null" }))).toBe(true);
      expect(forged(sent(method, headers))).toBe(true);
    }
  });

  it("are told from our own", () => {
    expect(forged(sent("POST", { "sec-fetch-site": "same-origin", origin: "https://forge.example" }))).toBe(false);
    expect(forged(sent("POST", { origin: "https://forge.example" }))).toBe(false);
    expect(forged(sent("POST", { origin: "https://forge.example:8443" }))).toBe(true);
    expect(forged(sent("POST", { "sec-fetch-site": "cross-site", origin: "https://forge.example" }))).toBe(true);
    // The Host header is whatever the sender wants it to be.
    const rebound = { host: "evil.example", origin: "https://evil.example" };
    expect(forged(sent("POST", rebound))).toBe(true);
    expect(forged(sent("GET", { "sec-fetch-site": "cross-site" }))).toBe(false);
  });
});

it("OPS-2: a form's token is the session's own, and an empty one is none", () => {
  expect(isToken("abc", "abc")).toBe(true);
  for (const given of ["abd", "ab", "", undefined, 7, ["abc"]]) expect(isToken(given, "abc")).toBe(false);
  expect(isToken("", "")).toBe(false);
});
