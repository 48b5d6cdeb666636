import { expect, it } from "vitest";
import { shareWorld } from "./end-world.ts";
import { openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
shareWorld(createWorld, async (made) => {
  world = made;
  await world.settled();
});

const HOSTILE = [
  "@everyone @ana",
  "fixes #1, closes acme/shop#2",
  "![image](https://evil.example/x.png)",
  "[link](https://evil.example) https://evil.example/bare",
  "<!-- hidden --><img src=https://evil.example/y.png><details>",
  "/forge approve",
  "`code` ``` ~~~ | pipe | \\| $x$ :tada:",
];

/** What GitHub would read as Markdown: without code, whose content does nothing. */
function outsideCode(text: string): string {
  const withoutFences = text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[`~]*[ \t]*$/gm, "");
  return withoutFences.replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");
}

/** Every text that was sent to GitHub to be shown as Markdown. */
function markdownSent(): string[] {
  const texts: string[] = [];
  const gather = (value: unknown, key: string) => {
    if (typeof value === "string" && (key === "summary" || key === "body")) texts.push(value);
    if (typeof value !== "object" || value === null) return;
    for (const [name, child] of Object.entries(value)) gather(child, name);
  };
  for (const { body } of world.github.requests) gather(body, "");
  return texts;
}

function tableRows(summary: string): string[] {
  return summary.split("\n").filter((line) => line.startsWith("|"));
}

it("GH-15: names and code of a pull request reach GitHub as text that does nothing, and tables stay whole", async () => {
  const comment = HOSTILE.join(" ").replaceAll("*/", "");
  const code = `const a = 1; // ${comment}\na = 2; // ${comment}\nexport { a };\n`;
  const names = [
    ...HOSTILE.map((text) => text.replaceAll("/", "_").replaceAll("\\", "")),
    "line\nbreak",
    "tab\tstop",
    "\u202etxt",
  ];
  const files = Object.fromEntries(names.map((name) => [`src/${name}.ts`, code]));
  const odd = { "broken @everyone fixes #1.json": '{"@everyone fixes #1": [1,, "![x](https://evil.example)"]}\n' };
  const { number } = await openPull(
    world,
    { ...files, ...odd },
    { branch: "@everyone-fixes-#1", title: `${HOSTILE.join(" ")} <!-- -->` },
  );
  await world.settled();
  const pull = world.github.pullRequest("acme/shop", number);
  expect(pull.checkRuns[0]?.conclusion).toBe("failure");
  expect(pull.reviewComments.length).toBeGreaterThanOrEqual(names.length);
  for (const text of markdownSent()) {
    const live = outsideCode(text)
      .replace(/<!-- forge:[\w.:-]+ -->/g, "")
      .replace(/<\/?(details|summary)>/g, "")
      .replace(/\[\]\(http:\/\/[\d.:]+\/acme\/shop\/runs\/\d+\)/, "")
      // What a rule is about, on the page of its linter or of its weakness, and the place of a finding.
      .replaceAll(/\[\]\(https:\/\/biomejs\.dev\/linter\/rules\/[\w-]+\/\)/g, "")
      .replaceAll(/\[\]\(https:\/\/cwe\.mitre\.org\/data\/definitions\/\d+\.html\)/g, "")
      .replaceAll(/\[\]\(http:\/\/[\d.:]+\/acme\/shop\/blob\/[\da-f]{40}\/[\w%.~/-]+#L\d+\)/g, "");
    expect(live).not.toMatch(/@(everyone|ana)\b/);
    expect(live).not.toMatch(/\b(fixes|closes) (#|acme)/i);
    expect(live).not.toMatch(/!\[|\]\(|https?:|<!--|<img/i);
    expect(text).not.toMatch(/^\s*\/forge approve/m);
  }
  const rows = tableRows(pull.checkRuns[0]?.summary ?? "");
  expect(rows.length).toBeGreaterThan(names.length);
  for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(3);
});

it("GH-10, GH-11: of 2,000 findings the most severe are comments, the rest annotations in batches of 50", async () => {
  const faulty = `const a = 1;\n${"a = 2;\n".repeat(50)}export { a };\n`;
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`many/f${at}.ts`, faulty]));
  const token = ["ghp", "k3Jx9QzT7mWb2NvR5cYh8LpD4sGf6aEu1oXi"].join("_");
  const secret = { "z/last.ts": `export const token = "${token}";\n` };
  const before = world.github.requests.length;
  const { number } = await openPull(world, { ...files, ...secret }, { branch: "flood" });
  await world.settled();
  const pull = world.github.pullRequest("acme/shop", number);
  const [check] = pull.checkRuns;
  expect(pull.reviews).toHaveLength(1);
  expect(pull.reviewComments).toHaveLength(20);
  expect(pull.reviewComments[0]?.path).toBe("z/last.ts");
  expect(check?.summary?.length).toBeLessThanOrEqual(65_535);
  const batches = world.github.requests.slice(before).flatMap(({ operation, body }) => {
    if (operation !== "checks/update" && operation !== "checks/create") return [];
    const { output } = body as { output?: { annotations?: unknown[] } };
    return output?.annotations ? [output.annotations.length] : [];
  });
  expect(Math.max(...batches)).toBeLessThanOrEqual(50);
  const places = check!.annotations.map(({ path, start_line, title }) => `${path}:${start_line}:${title}`);
  expect(new Set(places).size).toBe(places.length);
  expect(places).toHaveLength(1_000);
  expect(check?.summary).toContain("1,001 findings beyond the limit of one run are not listed.");
  expect(JSON.stringify(world.github.requests.map(({ body }) => body ?? null))).not.toContain(token);
});
