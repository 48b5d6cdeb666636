import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lintSource } from "@secretlint/core";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";

/** What secretlint's command line does with each file of a folder: it is not among our packages. */
export async function searchFolder(root: string): Promise<void> {
  const config = { rules: rules.map((rule) => ({ id: rule.meta.id, rule, options: {} })) };
  for (const name of readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue;
    const filePath = join(root, "src", name);
    const source = { filePath, content: readFileSync(filePath, "utf8"), contentType: "text" as const };
    await lintSource({ source, options: { config } });
  }
}
