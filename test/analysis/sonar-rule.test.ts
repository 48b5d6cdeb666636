import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { ALL_RULES } from "../../src/analysis/child/eslint/choose-rules.ts";
import { readRules } from "../../src/analysis/child/eslint/read-rules.ts";
import { loadSonarRule } from "../../src/analysis/child/eslint/sonar-rule.ts";

const require = createRequire(import.meta.url);
const requireOfRules = createRequire(require.resolve("eslint-plugin-sonarjs"));

/** Those that compute something from it as they are loaded. */
const USING_TYPESCRIPT = ["sonarjs/slow-regex", "sonarjs/stateful-regex"];

it("REV-6: the rules of sonarjs are loaded without TypeScript, which is there for the first of them that looks into it", () => {
  const [using = [], others = []] = [true, false].map((isUsing) =>
    [...ALL_RULES.values()].filter(({ name }) => USING_TYPESCRIPT.includes(name) === isUsing),
  );
  for (const { sonarKey } of others) if (sonarKey !== undefined) loadSonarRule(sonarKey);
  expect(Object.keys(requireOfRules("typescript"))).toEqual([]);
  for (const { sonarKey } of using) if (sonarKey !== undefined) loadSonarRule(sonarKey);
  expect(requireOfRules("typescript").SyntaxKind.Unknown).toBe(0);
});

it("REV-6: a file is read by the rules that could say something about it, of which others of the change need none", async () => {
  const files = [
    { id: 0, text: "for (;;) {\n  return 1;\n}\n" },
    { id: 1, text: "i = i++;\n" },
  ];
  const read = await readRules(files);
  expect(read(files[0]!)).toMatchObject({ hits: [{ rule: "no-unreachable-loop", line: 1 }], dropped: [] });
  expect(read(files[1]!)).toMatchObject({ hits: [{ rule: "sonarjs/no-useless-increment", line: 1 }], dropped: [] });
});
