import { type RubyCall, rubyCalls } from "./ruby-calls.ts";
import { type WantedPackage, wantedPackage } from "./wanted-package.ts";

const OF_GEMSPEC = new Set(["add_dependency", "add_runtime_dependency", "add_development_dependency"]);

/** `Gemfile` and `gems.rb`: each `gem`. */
export function readGemfile(text: string): WantedPackage[] {
  return rubyCalls(text, new Set(["gem"])).flatMap((call) => (call.keys.includes("path") ? [] : wantedBy(call)));
}

/** `add_dependency "x", "~> 1"` of a gem's own description. */
export function readGemspec(text: string): WantedPackage[] {
  return rubyCalls(text, OF_GEMSPEC).map(wantedBy);
}

/** Where the name is computed, the report shows what computes it. */
function wantedBy({ name, texts, written, method }: RubyCall): WantedPackage {
  if (name === undefined) return wantedPackage("RubyGems", method, written, undefined);
  const [only = ""] = texts;
  const version = texts.length === 1 ? /^=?\s*(\d[\w.-]*)$/.exec(only)?.[1] : undefined;
  return wantedPackage("RubyGems", name, texts.join(", "), version);
}
