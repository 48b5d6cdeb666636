import type { SourceFile } from "../source-file.ts";
import type { TextKind } from "./named-secrets.ts";

/** Files in which a bare word behind a name is an expression and not a value. */
const CODE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyi|go|rs|java|kt|kts|scala|groovy|gradle|cs|fs|vb|c|h|cc|cpp|hpp|m|mm|swift|rb|erb|php|pl|pm|lua|ex|exs|erl|hs|clj|cljs|dart|r|jl|sql|css|scss|less|html?|xhtml|jsp|zig|nim|proto|graphql|sol|md|mdx|rst|adoc|txt|svg|ipynb)$/i;

export function textKindOf({ path, look }: Pick<SourceFile, "path" | "look">): TextKind {
  if (look !== "all") return "machine";
  return CODE.test(path) ? "code" : "data";
}
