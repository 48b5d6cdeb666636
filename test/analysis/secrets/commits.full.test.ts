import { describe, expect, it } from "vitest";
import { secrets } from "../../../src/analysis/analysers/secrets.ts";
import { analyse } from "../change-of.ts";
import { fill } from "./sample-text.ts";
import { SAMPLES } from "./samples.ts";

const token = fill(SAMPLES["github-token"]!);
const other = fill(SAMPLES["npm-token"]!);
const third = fill(SAMPLES["vault-token"]!);
const FIRST = "1".repeat(40);
const SECOND = "2".repeat(40);
const added = (path: string, ...lines: string[]) => ({
  path,
  text: lines.join("\n"),
  lines: lines.map((_, at) => at + 1),
});

describe("secrets in the commits of a change", () => {
  it("REV-1: one that a later commit took away is reported with the commit that brought it", async () => {
    const commits = [
      { sha: SECOND, files: [added("a.ts", "const t = read();")] },
      {
        sha: FIRST,
        files: [added("a.ts", "", `const t = "${token}";`), added("gone/b.ts", `f("${other}");`, `g("${third}");`)],
      },
    ];
    const { observations } = await analyse(
      { "a.ts": "const a = 1;\nconst t = read();\n" },
      { analysers: [secrets], commits: { commits } },
    );
    expect(observations).toMatchObject([
      {
        file: "a.ts",
        line: 2,
        severity: "critical",
        secret: true,
        message:
          "Commit 1111111 adds a GitHub token; the head does not hold it any more, and it is still in the history.",
        evidence: "ghp_…",
      },
      { file: "gone/b.ts", line: 1, rule: "secrets/npm-token" },
      { file: "gone/b.ts", line: 1, rule: "secrets/vault-token" },
    ]);
    expect(JSON.stringify(observations)).not.toContain(token.slice(4, 14));
  });

  it("GH-3a: keeps the identity that it had while the head held it", async () => {
    const line = `const t = "${token}";\n`;
    const before = await analyse({ "a.ts": `const a = 1;\n${line}` }, { analysers: [secrets] });
    const commits = { commits: [{ sha: FIRST, files: [added("a.ts", "const a = 1;", line.trimEnd())] }] };
    const after = await analyse({ "a.ts": "const a = 1;\n" }, { analysers: [secrets], commits });
    expect(after.observations.map(({ fingerprint }) => fingerprint)).toEqual(
      before.observations.map(({ fingerprint }) => fingerprint),
    );
  });

  it("is searched where the head has nothing to search", async () => {
    const commits = { commits: [{ sha: FIRST, files: [added("a.ts", token)] }] };
    expect((await analyse({}, { commits })).observations).toHaveLength(1);
  });

  it("says nothing of what the head holds still, of what was there before, and of what is left out by configuration", async () => {
    const commits = {
      commits: [
        { sha: SECOND, files: [added("b.ts", `const moved = "${token}";`)] },
        { sha: FIRST, files: [added("a.ts", `const t = "${token}";`, `const o = "${other}";`)] },
      ],
    };
    const base = `const o = "${other}";\n`;
    const result = await analyse(
      { "a.ts": ["const a = 1;\n", base], "b.ts": `const moved = "${token}";\n` },
      { analysers: [secrets], commits },
    );
    expect(result.observations.map(({ file, line }) => `${file}:${line}`)).toEqual(["b.ts:1"]);
  });

  it("GH-11a: a history that was not read whole makes the layer partial, and closes nothing", async () => {
    const { coverage } = await analyse(
      { "a.ts": "1;\n" },
      {
        analysers: [secrets],
        commits: { commits: [], cut: "Of the commits only the newest 250 were read one by one." },
      },
    );
    const security = coverage.layers.find(({ layer }) => layer === "security");
    expect(security).toMatchObject({
      state: "partly",
      reason:
        "secrets: not every commit was searched for secrets. Of the commits only the newest 250 were read one by one.",
    });
    expect(security?.tools.map(({ name }) => name)).not.toContain("secrets");
  });
});
