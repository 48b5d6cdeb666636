// Makes `dist/`, which is `src/` as JavaScript with declarations, for `npm pack` (OPS-6): Node strips no types under node_modules. Types are
// checked by `npm run check:static`.
import { execFileSync } from "node:child_process";
import { cpSync, rmSync, statSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.package.json"], {
  stdio: "inherit",
});
// Prompts, settings of the sandbox and what else lies beside the code that reads it.
cpSync("src", "dist", {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || !path.endsWith(".ts"),
});
