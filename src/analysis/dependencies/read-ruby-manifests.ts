import { type WantedPackage, wantedPackage } from "./wanted-package.ts";

const LONGEST_LINE = 1_000;

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.slice(0, LONGEST_LINE));
}

/** `Gemfile` and `gems.rb`: each `gem`. */
export function readGemfile(text: string): WantedPackage[] {
  return linesOf(text).flatMap((line) => {
    const [, name, rest = ""] = /^\s*gem[\s(]+["']([\w.-]+)["'](.*)$/.exec(line) ?? [];
    if (name === undefined || /\bpath:|:path\s*=>/.test(rest)) return [];
    return [wantedPackage("RubyGems", name, ...versionsIn(rest))];
  });
}

/** `add_dependency "x", "~> 1"` of a gem's own description. */
export function readGemspec(text: string): WantedPackage[] {
  return linesOf(text).flatMap((line) => {
    const [, name, rest = ""] =
      /\.add_(?:runtime_|development_)?dependency[\s(]{1,9}["']([\w.-]{1,200})["'](.{0,1000})/.exec(line) ?? [];
    return name === undefined ? [] : [wantedPackage("RubyGems", name, ...versionsIn(rest))];
  });
}

function versionsIn(rest: string): readonly [wanted: string, version: string | undefined] {
  const versions = [...rest.matchAll(/(?:^\s*,|,)\s*["']([^"']*)["'](?!\s*=>)/g)].map(([, version = ""]) => version);
  const [only = ""] = versions;
  return [versions.join(", "), versions.length === 1 ? /^=?\s*(\d[\w.-]*)$/.exec(only)?.[1] : undefined];
}
