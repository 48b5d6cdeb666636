import type { ParserOptions } from "oxc-parser";
import type { Dialect } from "../languages.ts";

/**
 * Ways in which a script may be meant: what any of them accepts is not an error. Plain `.js` may be a module, CommonJS, hold JSX, or
 * types for a checker that strips them.
 */
export function readings(dialect: Dialect): ParserOptions[] {
  switch (dialect) {
    case "d.ts":
      return [{ lang: "dts" }];
    case "ts":
    case "mts":
      return [{ lang: "ts", sourceType: "module" }];
    case "cts":
      return [{ lang: "ts", sourceType: "commonjs" }];
    case "tsx":
      return [{ lang: "tsx", sourceType: "module" }];
    case "js":
    case "mjs":
    case "cjs":
    case "jsx":
    // No scripts: no caller asks for them.
    case "json":
    case "jsonc":
    case "css":
    case "yaml":
    case "py":
    case "sh":
      return [
        { lang: "jsx", sourceType: "unambiguous" },
        { lang: "jsx", sourceType: "commonjs" },
        { lang: "tsx", sourceType: "module" },
      ];
  }
}
