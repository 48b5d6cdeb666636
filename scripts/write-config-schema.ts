// Writes forge.schema.json from the schema that reads the configuration, for completion and help in editors.
import { writeFileSync } from "node:fs";
import { z } from "zod";
import { CONFIGURATION_PATH, RepoConfig } from "../src/domain/repo-config.ts";

/** Editors' YAML servers know this version of JSON Schema best. */
export function configurationSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(RepoConfig, { io: "input", target: "draft-7" });
  return {
    $schema,
    title: "Forge",
    description: `What Forge does in this repository: ${CONFIGURATION_PATH} on the default branch.`,
    ...schema,
  };
}

if (import.meta.main) {
  writeFileSync(
    new URL("../forge.schema.json", import.meta.url),
    `${JSON.stringify(configurationSchema(), null, 2)}\n`,
  );
}
