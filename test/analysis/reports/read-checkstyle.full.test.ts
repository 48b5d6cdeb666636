import { describe, expect, it } from "vitest";
import { readCheckstyle } from "../../../src/analysis/reports/read-checkstyle.ts";
import { Observation } from "../../../src/domain/findings.ts";

const options = { root: "/checkout/shop" };

function xml(...files: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="10.1">\n${files.join("\n")}\n</checkstyle>\n`;
}

describe("checkstyle's XML", () => {
  it("REV-5: gives observations, with CRLF as without", () => {
    const text = xml(
      '<file name="/checkout/shop/src/A &amp; B.java">',
      '<error line="3" column="5" severity="error" message="Definition of &apos;equals()&apos; &#8212; &#x3C;none&#x3e;."',
      ' source="com.puppycrawl.tools.checkstyle.checks.coding.EqualsHashCodeCheck"/>',
      '<error line="7" severity="info" message="Tab." source="com.puppycrawl.tools.checkstyle.checks.whitespace.FileTabCharacterCheck"/>',
      "</file>",
      '<file name="run.sh"><error line="2" column="1" severity="warning" message="Quote." source="ShellCheck.SC2086"/></file>',
      '<file name="a.js"><error line="9" severity="error" message="eval" source="eslint.rules.no-eval"/></file>',
      '<file name="clean.js"></file><file name="empty.js"/>',
      '<file name="whole.php"><error severity="strange" message="" source=""/></file>',
    );
    const report = readCheckstyle(text, options);
    expect(report.observations.map((o) => [o.rule, o.severity, o.category, o.file, o.line, o.message])).toEqual([
      [
        "checkstyle/coding.EqualsHashCode",
        "error",
        "correctness",
        "src/A & B.java",
        3,
        "Definition of 'equals()' — <none>.",
      ],
      ["checkstyle/whitespace.FileTabCharacter", "info", "style", "src/A & B.java", 7, "Tab."],
      ["shellcheck/SC2086", "warning", "correctness", "run.sh", 2, "Quote."],
      ["eslint/no-eval", "error", "security", "a.js", 9, "eval"],
      ["checkstyle/unnamed", "warning", "style", "whole.php", 1, "unnamed without a message"],
    ]);
    expect(report).toMatchObject({ dropped: [] });
    expect(report.problem).toBeUndefined();
    expect(Observation.array().parse(report.observations)).toEqual(report.observations);
    expect(readCheckstyle(`\ufeff${text.replaceAll("\n", "\r\n")}`, options)).toEqual(report);
  });

  it("REV-5: without findings it is clean", () => {
    expect(readCheckstyle('<checkstyle version="4.3"/>', options)).toEqual({ observations: [], dropped: [] });
    expect(readCheckstyle(xml(), options)).toEqual({ observations: [], dropped: [] });
  });

  it("REV-5: drops what lies outside the checkout and what cannot be read", () => {
    const fault = '<error line="1" severity="error" message="m" source="s"/>';
    const text = xml(
      `<file name="/etc/passwd">${fault}${fault}</file>`,
      `<file name="../&#x2e;&#46;/a.js">${fault}</file>`,
      `<file>${fault}</file>`,
      '<file name="a.js"><error>text</error><error line="-1" message="&#x110000;&unknown;" source="s"/></file>',
    );
    const report = readCheckstyle(text, options);
    expect(report.observations.map(({ line, message }) => [line, message])).toEqual([[1, "&#x110000;&unknown;"]]);
    expect(report.dropped).toEqual([
      { reason: "outside the checkout", count: 3 },
      { reason: "not readable", count: 2 },
    ]);
  });

  it("REV-5: refuses declared entities, other XML and text, and says when the end is missing", () => {
    const bomb = '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
    expect(readCheckstyle(`${bomb}${xml()}`, options).problem).toBe("its report has a document type declaration");
    const other = "its report is not checkstyle's XML";
    for (const text of [
      "",
      "no XML",
      "<a><b></a>",
      "<checkstyle>".repeat(5_000),
      "{}",
      "<checkstyle",
      `${" ".repeat(10_000)}${xml()}`,
    ]) {
      expect(readCheckstyle(text, options)).toEqual({ observations: [], dropped: [], problem: other });
    }
    const half = xml('<file name="a.js"><error line="1" message="m" source="s"/></file>').replace("</checkstyle>", "");
    expect(readCheckstyle(half, options)).toMatchObject({
      observations: [{ line: 1 }],
      problem: "its report is cut off",
    });
  });

  it("REV-5: names of attributes cannot reach the prototype", () => {
    const text = xml(
      '<file name="a.js" __proto__="x"><error __proto__="x" constructor="y" line="1" message="m"/></file>',
    );
    expect(readCheckstyle(text, options).observations).toMatchObject([{ file: "a.js", message: "m" }]);
    expect(Object.prototype).not.toHaveProperty("line");
  });

  it("REV-5: keeps 2,000 of 25,000", () => {
    const files = Array.from({ length: 25_000 }, (_, at) => `<file name="f${at}"><error line="1" message="m"/></file>`);
    const { observations, dropped } = readCheckstyle(xml(...files), options);
    expect(observations).toHaveLength(2_000);
    expect(dropped).toEqual([{ reason: "above the limit", count: 23_000 }]);
  });
});
