import { expect, it } from "vitest";
import { pagesOf } from "../../src/workspace/own-pages.ts";

it.each([
  ["https://github.com/acme/forge.git", "https://github.com/acme/forge/blob/HEAD/"],
  ["git+https://github.com/acme/forge", "https://github.com/acme/forge/blob/HEAD/"],
  ["https://ana:t0ken@git.acme.example/acme/forge.git", "https://git.acme.example/acme/forge/blob/HEAD/"],
  ["git@github.com:acme/forge.git", "https://github.com/acme/forge/blob/HEAD/"],
  ["ssh://git@github.com/acme/forge.git", "https://github.com/acme/forge/blob/HEAD/"],
])("CLI-2: the documentation of a Forge from %s is at %s", (address, pages) => {
  expect(pagesOf(address)).toBe(pages);
});

it.each([
  "",
  "/srv/git/forge.git",
  "file:///srv/forge",
  "https://host/only",
  "https://host/a/b/c",
  "http://h/a/b",
  "C:\\x",
])("CLI-2: %j leads nowhere that a browser can go", (address) => expect(pagesOf(address)).toBeUndefined());
