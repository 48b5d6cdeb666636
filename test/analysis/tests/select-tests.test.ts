import { expect, it } from "vitest";
import { buildGraph } from "../../../src/analysis/map/import-graph.ts";
import { selectTests } from "../../../src/analysis/tests/select-tests.ts";
import { packRepository } from "../../../src/analysis/tests/selection/pack-repository.ts";
import { unpackRepository } from "../../../src/analysis/tests/selection/packed-repository.ts";
import { readTexts } from "../../../src/analysis/tests/selection/read-texts.ts";
import { isIntegrationTest, isTestName, subjectOf } from "../../../src/analysis/tests/test-names.ts";
import type { RiskLevel } from "../../../src/domain/risk.ts";
import { folderWith } from "../../tools/tool-fixture.ts";
import { scratchFolder } from "../change-of.ts";

const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  "src/cart.ts": ["./price.ts"],
  "src/price.ts": [],
  "src/mail.ts": [],
  "src/cart.test.ts": ["./cart.ts"],
  "src/mail.test.ts": ["./mail.ts"],
  "test/integration/price-list.test.ts": [],
  "test/integration/mail.test.ts": [],
  "shop/cart.py": [],
  "tests/test_cart.py": ["shop.cart"],
  "tests/test_other.py": [],
  "pkg/store/store.go": [],
  "pkg/store/query.go": [],
  "pkg/store/store_test.go": [],
  "pkg/mail/mail_test.go": [],
  "src/main/java/shop/Cart.java": [],
  "src/test/java/shop/CartTest.java": [],
  "src/test/java/shop/MailTest.java": [],
  "crates/a/src/lib.rs": [],
  "crates/a/tests/whole.rs": [],
  "README.md": [],
};

const OUTLINES = Object.entries(IMPORTS).map(([path, specifiers]) => {
  const imports = specifiers.map((specifier) => ({ specifier, passesOn: false }));
  return [path, { symbols: [] as never[], imports }] as const;
});
const IMPORTABLE = { paths: Object.keys(IMPORTS), settings: new Map<string, Buffer>() };
const PLACE = { scratch: scratchFolder(), signal: new AbortController().signal };
const GRAPH = await buildGraph(IMPORTABLE, new Map(OUTLINES), 0, PLACE);
const FILES = folderWith(
  Object.fromEntries(
    Object.entries(IMPORTS).map(([path, specifiers]) => [
      path,
      specifiers.map((each) => `import "${each}";\n`).join(""),
    ]),
  ),
).files;
const REPOSITORY = unpackRepository(await packRepository(FILES, GRAPH, new AbortController().signal));
const TEXTS = readTexts(REPOSITORY, {
  gone: ["src/old.ts", "src/basket.ts"],
  tests: GRAPH.paths.filter(isTestName),
});

function select(
  changed: readonly (string | { path: string; status: "deleted" | "renamed"; oldPath?: string })[],
  risk: RiskLevel = "low",
) {
  return selectTests({
    graph: REPOSITORY.graph,
    texts: TEXTS,
    changed: changed.map((each) => (typeof each === "string" ? { path: each, status: "modified" as const } : each)),
    risk,
    isTest: isTestName,
  });
}

it("TEST-1: the tests that reach a changed file by imports, directly or not", () => {
  expect(select(["src/price.ts"])).toEqual({ kind: "affected", files: ["src/cart.test.ts"] });
  expect(select(["src/cart.ts", "src/mail.ts"]).files).toEqual([
    "src/cart.test.ts",
    "src/mail.test.ts",
    "test/integration/mail.test.ts",
  ]);
});

it.each([
  ["shop/cart.py", ["tests/test_cart.py"]],
  ["pkg/store/query.go", ["pkg/store/store_test.go"]],
])("TEST-1: the tests that are named after %s", (changed, files) => {
  expect(select([changed])).toEqual({ kind: "affected", files });
});

it("TEST-1: a changed test is always run", () => {
  expect(select(["tests/test_other.py", "README.md"]).files).toEqual(["tests/test_other.py"]);
});

it("TEST-1: integration tests that have to do with it, from medium risk on", () => {
  expect(select(["src/price.ts"], "medium")).toEqual({
    kind: "integration",
    files: ["src/cart.test.ts", "test/integration/price-list.test.ts"],
  });
  expect(select(["shop/cart.py"], "medium").kind).toBe("affected");
});

it.each(["high", "critical"] as const)("TEST-1: all tests at %s risk", (risk) => {
  const { kind, files, because } = select(["README.md"], risk);
  expect([kind, files.length, because]).toEqual(["full", 11, `the risk is ${risk}`]);
});

it.each([
  "package.json",
  "web/tsconfig.build.json",
  "pnpm-lock.yaml",
  "go.sum",
  "conftest.py",
  "vitest.config.ts",
  "Cargo.toml",
  "pom.xml",
])("TEST-1: all tests when %s changed", (path) => {
  expect(select([path])).toMatchObject({ kind: "full", because: `${path} changed` });
  // A file of that name among the material of tests is data, and nothing here mentions it.
  expect(select([`test/fixtures/${path}`]).kind).toBe("full");
});

it("TEST-1: all tests when nobody can tell which: a file is gone, Rust, or nothing was found", () => {
  expect(select([{ path: "src/old.ts", status: "deleted" }]).because).toBe("src/old.ts is gone");
  expect(select([{ path: "src/cart.ts", oldPath: "src/basket.ts", status: "renamed" }]).because).toBe(
    "src/basket.ts is gone",
  );
  expect(select(["crates/a/src/lib.rs"]).because).toBe("Cargo runs no single files");
  expect(select(["src/lonely.ts"]).widened).toBe("nothing says which tests reach src/lonely.ts");
  // A name with spaces is not one word of a text.
  expect(select(["data/my rates.json"]).kind).toBe("full");
  // No imports of Java are read: CartTest is not the only one that may use it.
  expect(select(["src/main/java/shop/Cart.java"])).toMatchObject({
    kind: "full",
    widened: "nothing says which tests reach src/main/java/shop/Cart.java",
  });
});

it("TEST-1: none when no code changed", () => {
  expect(select(["README.md", { path: "test/gone.test.ts", status: "deleted" }])).toEqual({
    kind: "affected",
    files: [],
  });
});

it("knows tests by their names", () => {
  const tests = [
    "a.test.ts",
    "a.spec.jsx",
    "a-test.js",
    "__tests__/a.ts",
    "test_a.py",
    "a_test.py",
    "a_test.go",
    "tests/a.rs",
    "ATest.java",
    "AIT.kt",
  ];
  expect(tests.filter((path) => !isTestName(path))).toEqual([]);
  const others = [
    "a.ts",
    "test.md",
    "testing.py",
    "a.d.ts",
    "src/tests.rs",
    "Testing.java",
    "latest.ts",
    "test/helper.ts",
  ];
  expect(others.filter(isTestName)).toEqual([]);
  expect(
    ["e2e/a.ts", "test/integration/a.py", "a.e2e.test.ts", "a.e2e-spec.ts", "CartIT.java"].filter(
      (path) => !isIntegrationTest(path),
    ),
  ).toEqual([]);
  expect(["src/integrations/a.test.ts", "a.test.ts", "src/CartTest.java"].filter(isIntegrationTest)).toEqual([]);
  expect(subjectOf("src/parse-diff/index.ts")).toBe(subjectOf("test/parse_diff.spec.ts"));
});
