import { describe, expect, it } from "vitest";
import { secrets } from "../../src/analysis/analysers/secrets.ts";
import { findSecrets } from "../../src/analysis/child/find-secrets.ts";
import { SECRET_FORMATS } from "../../src/analysis/secret-formats.ts";
import { scratchFolder, sourceFile } from "./change-of.ts";

/** Repeatable characters without a pattern: tokens are made here and never written down. */
function characters(alphabet: string, count: number): string {
  let state = 12_345;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet[(state >> 8) % alphabet.length];
  }).join("");
}
const UPPER = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "23456789";
const word = (count: number) => characters(UPPER + LOWER + DIGITS, count);
const hex = (count: number) => characters("0123456789abcdef", count);
const capitals = (count: number) => characters("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", count);
const letters = (count: number) => characters(UPPER + LOWER, count);
const digits = (count: number) => characters("9182736450", count);
const glue = (...parts: string[]) => parts.join("");

const SAMPLES: Readonly<Record<string, () => string>> = {
  "aws-access-key": () => glue("AK", "IA", capitals(16)),
  "aws-secret-key": () => glue("aws_secret", "_access_key = ", word(40)),
  "github-token": () => glue("gh", "p_", word(36)),
  "github-fine-grained-token": () => glue("github", "_pat_", word(22), "_", word(59)),
  "gitlab-token": () => glue("gl", "pat-", word(20)),
  "slack-token": () => glue("xo", "xb-", digits(12), "-", digits(12), "-", word(24)),
  "slack-app-token": () => glue("xa", "pp-1-A", capitals(9), "-", digits(12), "-", hex(64)),
  "slack-webhook": () => glue("https://hooks.sl", "ack.com/services/T", capitals(8), "/B", capitals(8), "/", word(24)),
  "discord-webhook": () => glue("https://dis", "cord.com/api/webhooks/", digits(18), "/", word(68)),
  "telegram-token": () => glue(digits(9), ":A", "A", word(33)),
  "stripe-key": () => glue("sk_", "live_", word(24)),
  "stripe-test-key": () => glue("sk_", "test_", word(24)),
  "stripe-webhook-secret": () => glue("wh", "sec_", word(32)),
  "google-api-key": () => glue("AI", "za", word(35)),
  "google-oauth-secret": () => glue("GOC", "SPX-", word(28)),
  "google-refresh-token": () => glue("1/", "/0", word(50)),
  "npm-token": () => glue("np", "m_", word(36)),
  "pypi-token": () => glue("py", "pi-AgE", word(80)),
  "rubygems-token": () => glue("ruby", "gems_", hex(48)),
  "docker-token": () => glue("dck", "r_pat_", word(27)),
  "openai-key": () => glue("s", "k-", word(20), "T3Blbk", "FJ", word(20)),
  "anthropic-key": () => glue("sk-", "ant-api03-", word(95)),
  "hugging-face-token": () => glue("h", "f_", letters(34)),
  "sendgrid-key": () => glue("S", "G.", word(22), ".", word(43)),
  "mailgun-key": () => glue("ke", "y-", hex(32)),
  "twilio-key": () => glue("S", "K", hex(32)),
  "shopify-token": () => glue("shp", "at_", hex(32)),
  "square-token": () => glue("sq0", "atp-", word(22)),
  "digitalocean-token": () => glue("do", "p_v1_", hex(64)),
  "azure-storage-key": () => glue("Account", "Key=", word(86), "=="),
  "databricks-token": () => glue("da", "pi", hex(32)),
  "vault-token": () => glue("hv", "s.", word(90)),
  "terraform-token": () => glue(word(14), ".atlas", "v1.", word(64)),
  "atlassian-token": () => glue("ATA", "TT3", word(180)),
  "linear-key": () => glue("lin", "_api_", word(40)),
  "notion-token": () => glue("nt", "n_", digits(11), word(35)),
  "figma-token": () => glue("fi", "gd_", word(40)),
  "postman-key": () => glue("PM", "AK-", hex(24), "-", hex(34)),
  "grafana-token": () => glue("gl", "sa_", word(32), "_", hex(8)),
  "sentry-token": () => glue("snt", "rys_", word(100)),
  "new-relic-key": () => glue("NR", "AK-", capitals(27)),
  "doppler-token": () => glue("d", "p.pt.", word(43)),
  "supabase-token": () => glue("sb", "p_", hex(40)),
  "planetscale-token": () => glue("psc", "ale_tkn_", word(43)),
  "age-key": () => glue("AGE-SEC", "RET-KEY-1", characters("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
  "fly-token": () => glue("Fly", "V1 fm2_", word(140)),
  "private-key": () => glue("-----BEGIN RSA PRIV", "ATE KEY-----\n", word(64), "\n", word(64), "\n"),
  "url-credentials": () => glue("postgres://shop", ":", word(16), "@db.shop.internal:5432/shop"),
  jwt: () => glue("ey", "J", word(30), ".ey", "J", word(60), ".", word(43)),
};

async function rulesIn(text: string): Promise<string[]> {
  return (await findSecrets({ id: 0, text })).map(({ rule }) => rule);
}

describe("the table of secret formats", () => {
  it("has a sample for every format", () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(SECRET_FORMATS.map(({ rule }) => rule).sort());
  });

  it.each(Object.keys(SAMPLES))("REV-1: finds %s in a line of code", async (rule) => {
    expect(await rulesIn(`const a = "${SAMPLES[rule]!()}"; // b\n`)).toContain(rule);
  });

  it("passes over placeholders, variables and examples of documentation", async () => {
    const harmless = [
      glue("AK", "IA", "IOSFODNN7EXAMPLE"),
      glue("gh", "p_", "x".repeat(36)),
      glue("sk_", "live_", "your_key_here_your_key_here"),
      glue("postgres://postgres", ":postgres@db:5432/app"),
      glue("postgres://app", `:${word(12)}`, "@localhost:5432/app"),
      `postgres://app:\${DB_PASSWORD}@db.internal/app`,
      "https://user:<password>@host.internal/",
      "mongodb://admin:{{ password }}@mongo.internal",
      glue("AI", "za", "0".repeat(35)),
      "const token = process.env.GITHUB_TOKEN;",
      "sha512-q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6j7k8l9z0x1c2v3b4n5m6==",
      "git@github.com:owner/name.git and https://example.com:8080/a@b",
    ];
    for (const line of harmless) expect(await rulesIn(line), line).toEqual([]);
  });

  it("takes time in proportion to the text, on text made to be slow", async () => {
    const traps = [
      "://",
      "a:b@",
      "eyJ",
      "-----BEGIN ",
      "aws secret ",
      "SG.",
      "AccountKey=",
      "xoxb-",
      ":AA",
      "https://a:",
      "1//0",
      "SK0",
    ];
    for (const trap of traps) {
      const started = performance.now();
      await rulesIn(trap.repeat(1_000_000 / trap.length));
      expect(performance.now() - started, trap).toBeLessThan(3_000);
    }
  }, 60_000);
});

describe("the secrets analyser", () => {
  const context = () => ({ scratch: scratchFolder(), signal: new AbortController().signal });

  it("SEC-6: shows at most four characters, asks to rotate first, and blocks", async () => {
    const token = SAMPLES["github-token"]!();
    const { observations } = await secrets.analyse([sourceFile("a.ts", `const t = "${token}";\n`)], context());
    expect(observations).toMatchObject([
      {
        rule: "secrets/github-token",
        severity: "critical",
        category: "security",
        secret: true,
        line: 1,
        column: 12,
        endColumn: 12 + token.length,
        evidence: "ghp_…",
      },
    ]);
    expect(observations[0]?.why).toMatch(/rotate it, then remove it/);
    expect(observations[0]?.fix).toBeUndefined();
    expect(JSON.stringify(observations)).not.toContain(token.slice(4, 12));
  });

  it("reports a secret once although two tools know it", async () => {
    const { observations } = await secrets.analyse(
      [sourceFile("a.ts", `${SAMPLES["slack-token"]!()}\n${SAMPLES["npm-token"]!()}\n`)],
      context(),
    );
    expect(observations.map(({ rule }) => rule)).toEqual(["secrets/slack-token", "secrets/npm-token"]);
  });

  it("is not switched off by a comment", async () => {
    const text = `// secretlint-disable\n// gitleaks:allow\nconst t = "${SAMPLES["gitlab-token"]!()}"; // secretlint-disable-line\n`;
    const { observations } = await secrets.analyse([sourceFile("a.ts", text)], context());
    expect(observations.map(({ line }) => line)).toEqual([3]);
  });

  it("is not switched off for secretlint's own rules either", async () => {
    const text = `// secretlint-disable\nconst t = "${glue("gs", "k_", word(52))}";\n`;
    const { observations } = await secrets.analyse([sourceFile("a.ts", text)], context());
    expect(observations).toMatchObject([{ rule: "secrets/groq", line: 2, secret: true }]);
  });

  it("only warns of keys that tests make for themselves", async () => {
    const { observations } = await secrets.analyse(
      [sourceFile("test/tls.test.ts", `const key = \`${SAMPLES["private-key"]!()}\`;\n`)],
      context(),
    );
    expect(observations).toMatchObject([{ rule: "secrets/private-key", severity: "warning" }]);
    expect(observations[0]?.secret).toBeUndefined();
  });
});
