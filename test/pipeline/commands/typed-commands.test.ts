import { describe, expect, it } from "vitest";
import { COMMAND_NAMES } from "../../../src/domain/commands.ts";
import type { LedgerEntry } from "../../../src/domain/findings.ts";
import { commandLines } from "../../../src/pipeline/commands/command-lines.ts";
import { findTarget } from "../../../src/pipeline/commands/decide-command.ts";
import { dismissalReason, parseCommand, parseCommands } from "../../../src/pipeline/commands/parse-comment.ts";
import fc from "../../properties.ts";

const NBSP = "\u00a0";
const here = { kind: "here" } as const;
const everywhere = { kind: "path", glob: "src/**" } as const;

const understood = (line: string) => {
  const parsed = parseCommand(line);
  return "command" in parsed ? parsed.command : parsed.refusal;
};

describe("R19: commands with other spaces, dashes and quotes", () => {
  it.each([
    [`dismiss F-AKHN${NBSP}a test only`, { name: "dismiss", finding: "F-AKHN", reason: "a test only", scope: here }],
    ["dismiss\u3000F-AKHN\u202fa test", { name: "dismiss", finding: "F-AKHN", reason: "a test", scope: here }],
    ["dismiss F\u20117K2Q noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss \u201cF\u22127K2Q\u201d noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss F-7K2Q\u200b noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss F-7\ufeffK2Q \u2060 noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss F\u30fc7K2Q noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss F\uff707K2Q noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss F\u25007K2Q noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss [F-7K2Q] noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss finding F-7K2Q noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss Ｆ－７Ｋ２Ｑ noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    [`reject G-2${NBSP}too risky`, { name: "reject", gate: "G-2", note: "too risky" }],
    [`approve G\u20132${NBSP}fine`, { name: "approve", gate: "G-2", note: "fine" }],
    ["approve Production gate G-2 fine", { name: "approve", environment: "production", gate: "G-2", note: "fine" }],
    ["reject staging G2", { name: "reject", environment: "staging", gate: "G-2" }],
    ["approve production 3 times looked at", { name: "approve", note: "production 3 times looked at" }],
    ["approve staging", { name: "approve", note: "staging" }],
    ["approve gate G-2 fine", { name: "approve", gate: "G-2", note: "fine" }],
    [`rollback production${NBSP}errors`, { name: "rollback", environment: "production", reason: "errors" }],
    [`hold production${NBSP}until Monday`, { name: "hold", environment: "production", reason: "until Monday" }],
    [`promote \u2018staging\u2019${NBSP}now`, { name: "promote", environment: "staging", reason: "now" }],
    ["deploy\u2009staging abcdef0", { name: "deploy", environment: "staging", sha: "abcdef0" }],
    ["dismiss F - 7K2Q noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss F\u2013 7K2Q noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss F \u2014 AKHN noisy", { name: "dismiss", finding: "F-AKHN", reason: "noisy", scope: here }],
    ["dismiss F 7K2Q noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss findings F-7K2Q noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss F-7K2Q\u2028noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    ["dismiss F-7K2Q\u0085noisy", { name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: here }],
    [`approve G${NBSP}2`, { name: "approve", gate: "G-2" }],
    ["approve G 2 fine", { name: "approve", gate: "G-2", note: "fine" }],
    ["reject G \u2011 2 too risky", { name: "reject", gate: "G-2", note: "too risky" }],
    ["approve gate 2 fine", { name: "approve", gate: "2", note: "fine" }],
    ["approve gates G-2", { name: "approve", gate: "G-2" }],
    ["rollback environment production errors", { name: "rollback", environment: "production", reason: "errors" }],
    ["hold on production until Monday", { name: "hold", environment: "production", reason: "until Monday" }],
    ["promote to staging", { name: "promote", environment: "staging" }],
    ["hide H 7K2Q", { name: "hide", hiding: "H-7K2Q" }],
    ["forget M \u2011 7K2Q", { name: "forget", memory: "M-7K2Q" }],
    ["hide H\u20117K2Q", { name: "hide", hiding: "H-7K2Q" }],
    ["forget M\u20117K2Q", { name: "forget", memory: "M-7K2Q" }],
    ["fix F\u20117K2Q,\u2009F\u20119M4D", { name: "fix", findings: ["F-7K2Q", "F-9M4D"] }],
    ["extend usd\u20075", { name: "extend", limit: "usd", amount: 5 }],
    ["override \u201creview\u201d hotfix", { name: "override", check: "forge/review", reason: "hotfix" }],
    ["retry\u2002\u00abv12\u00bb", { name: "retry", checkpoint: 12 }],
    ["help \u201call\u201d", { name: "help", topic: "all" }],
  ])("%j", (line, command) => {
    expect(understood(line)).toEqual(command);
  });

  it.each([
    ["rule — here is why — “quoted” it’s a–b", "rule — here is why — “quoted” it’s a–b"],
    ["— it’s 5\u2013\u20096 “by design”", "— it’s 5\u2013 6 “by design”"],
    ["noisy —see the docs", "noisy —see the docs"],
  ])("a reason keeps the words as they were typed: %j", (typed, reason) => {
    expect(understood(`dismiss F-7K2Q ${typed}`)).toEqual({ name: "dismiss", finding: "F-7K2Q", reason, scope: here });
  });

  it.each(["", NBSP, "\u200b", "\ufeff ", "\u3000"])("is a command behind what is pasted along: %j", (before) => {
    expect(parseCommands(`${before}/forge${NBSP}status`).commands).toMatchObject([{ command: { name: "status" } }]);
    expect(parseCommands(`${before}/forge dismiss F-7K2Q\u2028noisy`).commands).toMatchObject([
      { command: { finding: "F-7K2Q" } },
    ]);
  });

  it("is a command with any space behind /forge, and a reply in plain words with any", () => {
    expect(parseCommands("\uff0fforge\u3000\uff46\u30fc7K2Q").commands).toMatchObject([{ refusal: {} }]);
    expect(parseCommands("\uff0fforge\u3000dismiss\u3000F\u30fc7K2Q").commands).toMatchObject([
      { command: { finding: "F-7K2Q" } },
    ]);
    expect(parseCommands(`/forge${NBSP}dismiss F-7K2Q`).commands).toMatchObject([{ command: { finding: "F-7K2Q" } }]);
    expect(dismissalReason(`Won\u2018t${NBSP}fix`)).toBe("Won\u2018t fix");
    expect(dismissalReason(`not${NBSP}an\u2009issue: by contract`)).toBe("not an issue: by contract");
  });
});

describe("R19: a reply in the thread of another finding", () => {
  const entry = (id: string, commentId: number) => ({ finding: { id }, commentId }) as unknown as LedgerEntry;
  const ledger = [entry("F-AKHN", 1), entry("F-7K2Q", 2)];
  const target = (line: string) => {
    const parsed = parseCommand(line);
    if (!("command" in parsed) || parsed.command.name !== "dismiss") return parsed;
    const found = findTarget(ledger, parsed.command, 2);
    return "finding" in found ? found.finding.id : found;
  };
  it.each([`F-AKHN${NBSP}a test`, "F\u2011AKHN a test", "f-akhn, a test"])(
    "dismisses the one it names: %j",
    (typed) => {
      expect(target(`dismiss ${typed}`)).toBe("F-AKHN");
    },
  );

  it.each(["FAKHN", "F_AKHN", "AKHN", "F-AKHN:test", "F-AKHM", "F-AKNH"])(
    "dismisses none for an id that is mistyped: %s",
    (typed) => {
      expect(target(`dismiss ${typed} a test`)).toMatchObject({ reason: "unknown_finding", nearest: "F-AKHN" });
    },
  );

  it("dismisses its own for a reason alone", () => {
    expect(target("dismiss false positive, as F-AKHN is")).toBe("F-7K2Q");
  });
});

describe("R20: options with the dashes of a phone", () => {
  it.each([
    ["—path src/** noisy", "noisy", everywhere],
    ["–path src/** noisy", "noisy", everywhere],
    ["‐‐path src/** noisy", "noisy", everywhere],
    ["—path=src/** noisy", "noisy", everywhere],
    ["—path “src/**” noisy", "noisy", everywhere],
    ["—path “src/a b–c/**” noisy", "noisy", { kind: "path", glob: "src/a b–c/**" }],
    ['noisy --path="src/a b/**"', "noisy", { kind: "path", glob: "src/a b/**" }],
    ["noisy ―rule", "noisy", { kind: "rule" }],
  ])("%j", (typed, reason, scope) => {
    expect(understood(`dismiss F-7K2Q ${typed}`)).toEqual({ name: "dismiss", finding: "F-7K2Q", reason, scope });
  });
});

describe("GH-4: what looks like an argument and is none is refused, never taken as a reason", () => {
  const dismissed = (finding: string) => ({ name: "dismiss", finding, reason: "noisy", scope: here });
  it.each([
    ["dismiss F7K2Q noisy", dismissed("F7K2Q")],
    ["dismiss F_7K2Q noisy", dismissed("F_7K2Q")],
    ["dismiss F-7K2Q:noisy noisy", dismissed("F-7K2Q:noisy")],
    ["dismiss G-2 noisy", dismissed("G-2")],
    ["approve G_2 fine", { name: "approve", gate: "G_2", note: "fine" }],
    ["approve 2 fine", { name: "approve", gate: "2", note: "fine" }],
    ["approve G-2\u00b2 fine", { name: "approve", gate: "G-2\u00b2", note: "fine" }],
    ["reject G-2x too risky", { name: "reject", gate: "G-2x", note: "too risky" }],
    ["reject F-7K2Q too risky", { name: "reject", gate: "F-7K2Q", note: "too risky" }],
  ])("as an id that will not be found: %s", (line, command) => {
    expect(understood(line)).toEqual(command);
  });

  it.each([
    ["rollback prodution errors", { reason: "unknown_environment", written: "prodution", nearest: "production" }],
    ["hold prod until Monday", { reason: "unknown_environment", written: "prod", nearest: "production" }],
    ["promote stagign", { reason: "unknown_environment", written: "stagign", nearest: "staging" }],
    ["release production-eu", { reason: "unknown_environment", written: "production-eu", nearest: "production" }],
    ["deploy stage", { reason: "unknown_environment", written: "stage", nearest: "staging" }],
    ["override reveiw hotfix", { reason: "unknown_check", written: "reveiw", nearest: "forge/review" }],
    ["dismiss F-7K2Q —pth src/**", { reason: "unknown_option", name: "dismiss", written: "—pth", nearest: "--path" }],
    ["dismiss F-7K2Q -rule", { reason: "unknown_option", name: "dismiss", written: "-rule", nearest: "--rule" }],
    ["dismiss F-7K2Q —reason noisy", { reason: "unknown_option", name: "dismiss", written: "—reason" }],
    ["dismiss —reason noisy", { reason: "unknown_option", name: "dismiss", written: "—reason" }],
    ["hold production —until Monday", { reason: "unknown_option", name: "hold", written: "—until" }],
    [
      "dismiss F-7K2Q noise —rule does not apply",
      { reason: "unknown_option", name: "dismiss", written: "—rule", nearest: "--rule" },
    ],
    [
      "dismiss F-7K2Q noise –path traversal is not possible",
      { reason: "unknown_option", name: "dismiss", written: "–path", nearest: "--path" },
    ],
    ['dismiss F-7K2Q --path= not a "real" problem', { reason: "missing_value", name: "dismiss", option: "--path" }],
    ["dismiss F-7K2Q --path --rule", { reason: "missing_value", name: "dismiss", option: "--path" }],
    ["review —fulll", { reason: "unknown_option", name: "review", written: "—fulll", nearest: "--full" }],
    ["—help", { reason: "unknown_command", written: "—help", nearest: "help" }],
  ])("with the nearest: %s", (line, refusal) => {
    expect(understood(line)).toEqual(refusal);
  });

  it.each([
    ["dismiss false positives are expected here", "false positives are expected here"],
    ["dismiss UTF8 is checked before", "UTF8 is checked before"],
    ["dismiss fixed by hand", "fixed by hand"],
  ])("a sentence stays one: %s", (line, reason) => {
    expect(understood(line)).toEqual({ name: "dismiss", reason, scope: here });
  });

  it("an environment is not every word that resembles it", () => {
    expect(understood("hold starting Monday")).toEqual({ name: "hold", reason: "starting Monday" });
    expect(understood("rollback products page is down")).toEqual({ name: "rollback", reason: "products page is down" });
  });
});

describe("GH-4: a command means the same with whatever a phone makes of it", () => {
  const space = fc.constantFrom(" ", "\t", ..."\u00a0\u1680\u2002\u2003\u2007\u2009\u200a\u202f\u205f\u3000");
  const dash = fc.constantFrom(..."-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\u30fc\uff70\u2500");
  const longDash = fc.constantFrom("--", ..."\u2013\u2014\u2015\u2212");
  const quotes = fc.constantFrom("", '""', "''", "``", "\u201c\u201d", "\u201e\u201c", "\u2018\u2019", "\u00ab\u00bb");
  const id = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{4}$/);
  const reason = fc.array(fc.constantFrom("noisy", "by", "design", "—", "it’s", "“so”", "a–b"), { maxLength: 4 });
  const inQuotes = (marks: string, word: string) => `${marks.slice(0, 1)}${word}${marks.slice(1)}`;

  it("dismissals and answers to gates", () => {
    fc.assert(
      fc.property(
        space,
        dash,
        quotes,
        id,
        reason,
        fc.nat({ max: 999 }),
        (gap, hyphen, marks, letters, words, number) => {
          const finding = inQuotes(marks, `F${hyphen}${letters}`);
          const line = ["dismiss", finding, "because", ...words].join(gap);
          const told = ["because", ...words].join(" ");
          expect(understood(line)).toEqual({ name: "dismiss", finding: `F-${letters}`, reason: told, scope: here });
          const parted = ["dismiss", "F", hyphen, letters, "because", ...words].join(gap);
          expect(understood(parted)).toEqual({ name: "dismiss", finding: `F-${letters}`, reason: told, scope: here });
          expect(understood(["reject", "G", `${number + 1}`, "because"].join(gap))).toEqual({
            ...{ name: "reject", gate: `G-${number + 1}`, note: "because" },
          });
          const gate = inQuotes(marks, `G${hyphen}${number + 1}`);
          expect(understood(["reject", gate, "because", ...words].join(gap))).toEqual({
            ...{ name: "reject", gate: `G-${number + 1}`, note: told },
          });
        },
      ),
    );
  });

  it("options, and their values in quotes", () => {
    const glob = fc.constantFrom("src/**", "a–b/*.ts", "src/my files/**");
    fc.assert(
      fc.property(space, longDash, quotes.filter(Boolean), glob, (gap, dashes, marks, path) => {
        const line = `dismiss F-7K2Q${gap}${dashes}path${gap}${inQuotes(marks, path)}${gap}noisy`;
        expect(understood(line)).toEqual({
          ...{ name: "dismiss", finding: "F-7K2Q", reason: "noisy", scope: { kind: "path", glob: path } },
        });
      }),
    );
  });

  it("no option and no id that is not one is a reason", () => {
    fc.assert(
      fc.property(longDash, fc.stringMatching(/^[a-z]{3,12}$/), (dashes, key) => {
        const parsed = parseCommand(`dismiss F-7K2Q ${dashes}${key}`);
        if ("command" in parsed) expect(["here", "rule"]).toContain(key);
        else expect(["unknown_option", "missing_value"]).toContain(parsed.refusal.reason);
      }),
    );
  });

  it("whatever characters stand between: no error, and the name of a command is found", () => {
    fc.assert(
      fc.property(fc.constantFrom(...COMMAND_NAMES), space, fc.string({ unit: "binary" }), (name, gap, rest) => {
        const [line = "none"] = commandLines(`/forge${gap}${name}${gap}`).lines;
        expect(line.trim()).toBe(name);
        const parsed = parseCommand(`${name}${gap}${rest}`);
        if ("command" in parsed) expect(parsed.command.name).toBe(name);
        else expect(parsed.refusal.reason).not.toBe("unknown_command");
      }),
    );
  });
});
