/** Valid texts of the formats that are fuzzed, each with the rarer things of its format. */

export const PATCH = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,4 +1,5 @@ function a() {
 const one = 1;
-const two = 2;
+const two = 3;
+const three = 3;
 export { one };
\\ No newline at end of file
@@ -20 +21,0 @@
-gone
diff --git "a/b c.ts" "b/b c.ts"
similarity index 90%
rename from old.ts
rename to "b c.ts"
--- "a/old.ts"
+++ "b/b c.ts"
@@ -0,0 +1,2 @@
+a
+b
diff --git a/new.ts b/new.ts
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/new.ts
@@ -0,0 +1 @@
+export {};
diff --git a/x.png b/x.png
Binary files a/x.png and b/x.png differ
`;

const SHA = "0123456789012345678901234567890123456789";

export const RAW_DIFF = [
  `:100644 100644 ${SHA} ${SHA} M\0src/a.ts\0`,
  `:100644 100644 ${SHA} ${SHA} R090\0old.ts\0b c.ts\0`,
  `:000000 100644 ${SHA} ${SHA} A\0new.ts\0`,
  `:100644 120000 ${SHA} ${SHA} T\0link\0`,
  "2\t1\tsrc/a.ts\0",
  "2\t0\t\0old.ts\0b c.ts\0",
  "1\t0\tnew.ts\0",
  "-\t-\tlink\0",
].join("");

export const COMMIT_LOG = `\u0001commit ${SHA}
diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -0,0 +1,2 @@
+one
+two
diff --cc src/b.ts
index 1111111,2222222..3333333
--- a/src/b.ts
+++ b/src/b.ts
@@@ -1,1 -1,1 +1,2 @@@
++merged
+ ours
\u0001commit ${SHA}
`;

export const SARIF = JSON.stringify({
  version: "2.1.0",
  runs: [
    {
      tool: {
        driver: {
          name: "lint",
          rules: [
            {
              id: "no-eval",
              shortDescription: { text: "No eval" },
              defaultConfiguration: { level: "error" },
              properties: { "security-severity": "8.1", tags: ["security", "external/cwe/cwe-95"] },
            },
          ],
        },
        extensions: [{ name: "more", rules: [{ id: "more/one" }] }],
      },
      originalUriBaseIds: { SRC: { uri: "file:///work/" }, SUB: { uri: "src/", uriBaseId: "SRC" } },
      artifacts: [{ location: { uri: "src/a.ts", uriBaseId: "SRC" } }],
      invocations: [
        { executionSuccessful: true, toolExecutionNotifications: [{ level: "error", message: { text: "x" } }] },
      ],
      results: [
        {
          ruleId: "no-eval",
          ruleIndex: 0,
          level: "warning",
          kind: "fail",
          message: { text: "Evaluates {0}", arguments: ["this"], id: "default" },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: "a.ts", uriBaseId: "SUB" },
                region: { startLine: 3, startColumn: 2 },
              },
            },
          ],
          suppressions: [],
          fingerprints: { a: "b" },
        },
        {
          rule: { id: "more/one", toolComponent: { index: 0 } },
          message: { markdown: "**b**" },
          locations: [{ physicalLocation: { artifactLocation: { index: 0 }, region: { startLine: 1 } } }],
          suppressions: [{ kind: "inSource", status: "accepted" }],
        },
      ],
    },
  ],
});

export const ESLINT = JSON.stringify([
  {
    filePath: "/work/src/a.ts",
    messages: [{ ruleId: "no-eval", severity: 2, message: "no", line: 3, column: 1, endLine: 3, endColumn: 9 }],
    suppressedMessages: [],
  },
]);

export const CHECKSTYLE = `<?xml version="1.0"?>
<!-- a report -->
<checkstyle version="8.0"><file name="/work/src/a.ts">
<error line="3" column="2" severity="error" message="a &lt; b &#x41;" source="com.tools.Rule"/>
</file><file name="b.ts"><![CDATA[x]]></file></checkstyle>
`;

export const TSC = `src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.
  The expected type comes from here.
src/b.ts:4:1 - error TS1005: ';' expected.
error TS18003: No inputs were found in config file '/work/tsconfig.json'.
Found 2 errors.
`;

export const LOCKS = [
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      "": { dependencies: { a: "^1.0.0" }, workspaces: ["packages/*"] },
      "node_modules/a": {
        version: "1.0.1",
        resolved: "https://registry.npmjs.org/a/-/a-1.0.1.tgz",
        integrity: "sha512-x",
        dev: true,
      },
      "node_modules/a/node_modules/@b/c": { version: "2.0.0", link: true },
    },
    dependencies: { a: { version: "1.0.1", requires: { b: "1" }, dependencies: { c: { version: "3.0.0" } } } },
  }),
  "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a:\n        specifier: ^1.0.0\n        version: 1.0.1\npackages:\n  a@1.0.1:\n    resolution: {integrity: sha512-x}\n  '@b/c@2.0.0(a@1.0.1)':\n    resolution: {tarball: https://codeload.github.com/x}\n",
  '# yarn lockfile v1\n\n"@b/c@^1.0.0", a@^1.0.0:\n  version "1.0.1"\n  resolved "https://registry.yarnpkg.com/a.tgz#aa"\n  integrity sha512-x\n  dependencies:\n    d "1"\n',
  '__metadata:\n  version: 8\n\n"a@npm:^1.0.0":\n  version: 1.0.1\n  resolution: "a@npm:1.0.1"\n  checksum: 10/aa\n',
  '[[package]]\nname = "a"\nversion = "1.0.1"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "aa"\ndependencies = [\n "b",\n]\n\n[metadata]\nfiles = {a = [{file = "a.whl", hash = "sha256:a"}]}\n',
  JSON.stringify({
    _meta: { hash: { sha256: "a" } },
    default: { a: { version: "==1.0.1", hashes: ["sha256:a"] } },
    develop: {},
  }),
  "a==1.0.1 --hash=sha256:aa \\\n  --hash=sha256:bb\nb[extra]>=2 ; python_version < '3'\n-r other.txt\ngit+https://github.com/x/y@v1#egg=y\n",
  "module example.com/shop\n\ngo 1.22\n\nrequire (\n\texample.com/a v1.0.1 // indirect\n)\nreplace example.com/a => ../a\nexclude example.com/b v1.0.0\n",
  "example.com/a v1.0.1 h1:aa=\nexample.com/a v1.0.1/go.mod h1:bb=\n",
  "GEM\n  remote: https://rubygems.org/\n  specs:\n    a (1.0.1)\n      b (>= 2)\n\nGIT\n  remote: https://github.com/x/y\n  specs:\n    y (0.1)\n\nDEPENDENCIES\n  a\n",
];

export const JUNIT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="cart" tests="3" failures="1" time="0.2">
<testcase classname="cart.Total" name="adds" file="src/cart.test.ts" time="0.01"/>
<testcase classname="cart" name="fails"><failure message="1 &lt; 2" type="AssertionError">at src/cart.test.ts:3:1
<![CDATA[more]]></failure><system-out>x</system-out></testcase>
<testcase name="later"><skipped/></testcase><testcase name="dies"><error>x</error></testcase>
</testsuite></testsuites>
`;

export const TEST_JSON = JSON.stringify({
  numTotalTests: 4,
  numPassedTests: 1,
  numFailedTests: 2,
  numPendingTests: 1,
  testResults: [
    {
      name: "/work/src/cart.test.ts",
      status: "failed",
      assertionResults: [
        { fullName: "cart adds", status: "passed", failureMessages: [] },
        { fullName: "cart fails", status: "failed", failureMessages: ["Error: x\n    at /work/node_modules/a.js:1:1"] },
      ],
    },
    { name: "/work/src/b.test.ts", message: "it cannot be loaded", status: "failed", assertionResults: [] },
  ],
});

export const LCOV = `TN:
SF:/work/src/a.ts
FN:1,a
FNDA:2,a
FNF:1
FNH:1
DA:1,2
DA:2,0,hash
BRDA:2,0,0,-
BRF:2
BRH:1
end_of_record
`;

export const ISTANBUL = JSON.stringify({
  "/work/src/a.ts": {
    path: "/work/src/a.ts",
    statementMap: { 0: { start: { line: 1, column: 0 }, end: { line: 2, column: 3 } } },
    s: { 0: 2 },
    fnMap: { 0: { name: "a" } },
    f: { 0: 0 },
    branchMap: { 0: {} },
    b: { 0: [1, 0] },
  },
});

export const COBERTURA = `<?xml version="1.0"?><coverage><sources><source>/work</source></sources><packages><package><classes>
<class filename="src/a.ts"><methods/><lines><line number="1" hits="2" branch="true" condition-coverage="50% (1/2)"/></lines></class>
</classes></package></packages></coverage>
`;

export const CONFIGURATIONS = [
  `review:
  on_pr: true
  paths:
    include: ["src/**", docs]
    exclude: ["*.gen.{ts,js}", '[ab]?.md']
  path_weights: { "auth/": 12 }
  path_instructions:
    - path: src/api/**
      instructions: |
        Every handler checks who asks.
        Look for it.
tools:
  test: ["npm", "test"]
  analysers:
    - name: lint
      command: [npx, lint]
      format: sarif
      paths: ["**/*.ts"]
safety:
  cost: { run: 20, day: 100.5 }
  gates: { architecture_approval: always }
`,
  "a: &x [1, 2]\nb: *x\n? complex\n: value\n--- # second\n!!binary c: >-\n  folded\n...\n",
];

export const COMMENTS = [
  "/forge review --full\n\n> /forge approve G-1\n\n```\n/forge stop\n```\n/forge dismiss F-7K2Q because it is so --path src/**\n",
  "<!-- hidden /forge approve --> [text](https://evil.example/x?a=b) ![x](http://a.example/b.png) <b onclick=x>@ana</b> #12 ~~~\ncode\n~~~\n",
  "<details><summary>x</summary>\n\n| a | b |\n|---|---|\n| `a` | b |\n\n</details>\n\n    indented\n<pre>\n/forge stop\n</pre>\n",
  "authorization: Bearer abcdefghijklmnop ghp_012345678901234567890123456789012345 https://user:pass@host.example/ -----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n",
  "/forge extend usd 5\r\n/forge fix F-1, F-2 and F-3\r\n/forge retry v3\r\n/forge answer “yes”\r\n/FORGE help\r\n",
];

export const WORKFLOWS = [
  `name: CI
on:
  pull_request_target:
    types: [opened]
  push: { branches: [main] }
permissions: write-all
jobs:
  build:
    runs-on: [self-hosted, linux]
    permissions:
      contents: write
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.head.sha }}
      - name: Say
        run: |
          echo "\${{ github.event.issue.title }}"
          curl https://example.com/x | bash
      - uses: someone/action@main
        env: { A: "\${{ toJSON(secrets) }}" }
  call:
    uses: ./.github/workflows/other.yml
    secrets: inherit
`,
  "on: [push, workflow_run]\njobs: { a: { runs-on: ubuntu-latest, steps: [{ run: 'npm ci' }] } }\n",
];

export const GLOBS = [
  "src/**/*.ts\nsrc/a/b/c.ts",
  "*.{js,{ts,tsx}}\na/b.tsx",
  "/docs/[a-z]?[!0-9]*\ndocs/ab.md",
  "a\\*b/**\na*b/c",
  "**/node_modules/**\nx/node_modules/y/z",
  "[]a-]*{,b}\n]b",
];
