import { describe, expect, it } from "vitest";
import { pathInCheckout, uriInCheckout } from "../../../src/analysis/reports/reported-path.ts";
import fc from "../../properties.ts";

const ROOT = "/checkout/shop";

describe("a path in a tool's output", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//b/../a.ts", "src/a.ts"],
    ["/checkout/shop/src/a.ts", "src/a.ts"],
    ["../shop/src/a.ts", "src/a.ts"],
    ["src\\win\\a.ts", "src/win/a.ts"],
    ["file:///checkout/shop/src/a%20b.ts", "src/a b.ts"],
    ["src/100%.ts", "src/100%.ts"],
    ["src/a%20b.ts", "src/a%20b.ts"],
    ["src/é.ts", "src/é.ts"],
    ["..hidden/a.ts", "..hidden/a.ts"],
    // A name that begins with a quote is written as Forge writes such names.
    ['"a".ts', '"\\042a\\042.ts"'],
  ])("REV-5: %s is %s", (given, path) => {
    expect(pathInCheckout(given, ROOT)).toBe(path);
    expect(pathInCheckout(given, `${ROOT}/`)).toBe(path);
  });

  it.each([
    "/etc/passwd",
    "/checkout/shopping/a.ts",
    "/checkout/shop/../other/a.ts",
    "../a.ts",
    "src/../../a.ts",
    "..\\a.ts",
    "..",
    ".",
    "",
    "/checkout/shop",
    "C:\\shop\\a.ts",
    "c:/shop/a.ts",
    "file:///etc/passwd",
    "file://server/checkout/shop/a.ts",
    "src/a\0.ts",
    "src/a\n.ts",
  ])("REV-5: %j is outside the checkout", (given) => {
    expect(pathInCheckout(given, ROOT)).toBeUndefined();
  });
});

describe("a URI in a report", () => {
  const bases = {
    SRC: { uri: "file:///checkout/shop/src/" },
    BARE: { uri: "file:///checkout/shop/src" },
    ROOT: {},
    LIB: { uri: "lib%20x/", uriBaseId: "SRC" },
    UP: { uri: "../../", uriBaseId: "SRC" },
    AWAY: { uri: "file:///home/somebody/shop/" },
    WEB: { uri: "https://example.com/shop/" },
    LOOP: { uri: "a/", uriBaseId: "POOL" },
    POOL: { uri: "b/", uriBaseId: "LOOP" },
  };

  it.each([
    ["src/a.ts", undefined, "src/a.ts"],
    ["src/a%20%C3%A9.ts", undefined, "src/a é.ts"],
    ["src/%E9.ts", undefined, '"src/\\351.ts"'],
    ["src/[id]#x?y.ts", undefined, "src/[id]#x?y.ts"],
    ["src/%252e%252e/a.ts", undefined, "src/%2e%2e/a.ts"],
    ["100%.ts", undefined, "100%.ts"],
    ["FILE:///checkout/shop/a.ts", undefined, "a.ts"],
    ["file://localhost/checkout/shop/a.ts", undefined, "a.ts"],
    ["file:/checkout/shop/a.ts", undefined, "a.ts"],
    ["a.ts", "SRC", "src/a.ts"],
    ["a.ts", "BARE", "src/a.ts"],
    ["../a.ts", "SRC", "a.ts"],
    ["a.ts", "ROOT", "a.ts"],
    ["a.ts", "UNKNOWN", "a.ts"],
    ["a.ts", "LIB", "src/lib x/a.ts"],
    ["shop/a.ts", "UP", "a.ts"],
    ["a.ts", "constructor", "a.ts"],
    ["file:///checkout/shop/a.ts", "AWAY", "a.ts"],
  ])("REV-5: %s on %s is %s", (uri, base, path) => {
    expect(uriInCheckout(uri, base, bases, ROOT)).toBe(path);
  });

  it.each([
    ["/etc/passwd", undefined],
    ["file:///etc/passwd", undefined],
    ["file:///checkout/shop/%2e%2e/%2E%2E/etc/passwd", undefined],
    ["%2e%2e%2fa.ts", undefined],
    ["..%5ca.ts", undefined],
    ["//checkout/shop/a.ts", undefined],
    ["\\\\server\\share\\a.ts", undefined],
    ["https://example.com/a.ts", undefined],
    ["jar:file:///checkout/shop/a.jar", undefined],
    ["C:/a.ts", undefined],
    ["file:///C:/a.ts", undefined],
    ["a%00.ts", undefined],
    ["a%0a.ts", undefined],
    ["../../a.ts", "SRC"],
    ["a.ts", "UP"],
    ["a.ts", "AWAY"],
    ["a.ts", "WEB"],
    ["a.ts", "LOOP"],
  ])("REV-5: %s on %s is outside the checkout", (uri, base) => {
    expect(uriInCheckout(uri, base, bases, ROOT)).toBeUndefined();
  });

  it("REV-5: no path or URI leads out of the checkout", () => {
    const part = fc.constantFrom(
      "..",
      ".",
      "a",
      "/",
      "\\",
      "%2e",
      "%2f",
      "%5C",
      "%",
      "file:",
      "//",
      "C:",
      "\0",
      "é",
      "%E9",
    );
    const made = fc.oneof(
      fc.string(),
      fc.array(part).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(made, made, (uri, baseUri) => {
        for (const path of [
          pathInCheckout(uri, ROOT),
          uriInCheckout(uri, undefined, {}, ROOT),
          uriInCheckout(uri, "B", { B: { uri: baseUri } }, ROOT),
        ]) {
          if (path === undefined) continue;
          expect(path).not.toMatch(/^\/|^$|\0/);
          expect(path.split("/")).not.toEqual(expect.arrayContaining([".."]));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
