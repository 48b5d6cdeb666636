import { describe, expect, it } from "vitest";
import { secrets } from "../../../src/analysis/analysers/secrets.ts";
import { readerContext, sourceFile } from "../change-of.ts";
import { fill } from "./sample-text.ts";
import { SAMPLES } from "./samples.ts";

const sample = (rule: string) => fill(SAMPLES[rule]!);

describe("the secrets analyser", () => {
  it("SEC-6: shows at most four characters, asks to rotate first, and blocks", async () => {
    const token = sample("github-token");
    const { observations } = await secrets.analyse([sourceFile("a.ts", `const t = "${token}";\n`)], readerContext());
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
    expect(observations[0]?.remedy).toBe("Rotate it, then remove it from the history of the branch.");
    expect(observations[0]?.fix).toBeUndefined();
    expect(JSON.stringify(observations)).not.toContain(token.slice(4, 12));
  });

  it("reports a secret once although two tools know it", async () => {
    const { observations } = await secrets.analyse(
      [sourceFile("a.ts", `${sample("slack-token")}\n${sample("npm-token")}\n`)],
      readerContext(),
    );
    expect(observations.map(({ rule }) => rule)).toEqual(["secrets/slack-token", "secrets/npm-token"]);
  });

  it("is not switched off by a comment", async () => {
    const text = `// secretlint-disable\n// gitleaks:allow\nconst t = "${sample("gitlab-token")}"; // secretlint-disable-line\n`;
    const { observations } = await secrets.analyse([sourceFile("a.ts", text)], readerContext());
    expect(observations.map(({ line }) => line)).toEqual([3]);
  });

  it("is not switched off for secretlint's own rules either", async () => {
    const text = `// secretlint-disable\nconst t = "${fill("gs|k_{w52}")}";\n`;
    const { observations } = await secrets.analyse([sourceFile("a.ts", text)], readerContext());
    expect(observations).toMatchObject([{ rule: "secrets/groq-key", line: 2, secret: true }]);
  });

  it("only warns of keys that tests make for themselves", async () => {
    const { observations } = await secrets.analyse(
      [sourceFile("test/tls.test.ts", `const key = \`${sample("private-key")}\`;\n`)],
      readerContext(),
    );
    expect(observations).toMatchObject([{ rule: "secrets/private-key", severity: "warning" }]);
    expect(observations[0]?.secret).toBeUndefined();
  });

  it("says of a password that it may be one, and less in a test", async () => {
    const line = `db_password = "${fill("{c14}")}"\n`;
    const { observations } = await secrets.analyse(
      [sourceFile("a.py", line), sourceFile("test/a.py", line)],
      readerContext(),
    );
    expect(observations.map(({ rule, severity }) => [rule, severity])).toEqual([
      ["secrets/assigned-password", "warning"],
      ["secrets/assigned-password", "info"],
    ]);
    expect(observations[0]!.secret).toBeUndefined();
  });

  it("does not ask names in what nobody wrote", async () => {
    const file = { ...sourceFile("a.js", `x.password="${fill("{w16}")}"\n`), look: "secrets" as const };
    expect((await secrets.analyse([file], readerContext())).observations).toEqual([]);
  });

  it("names files that are made to hold secrets", async () => {
    const files = [
      sourceFile("deploy/id_rsa", "not a key\n"),
      sourceFile(".env", `API_TOKEN=${fill("{l9}")}\n`),
      sourceFile("web/.env", "PORT=3000\nNODE_ENV=production\n"),
      sourceFile(".env.example", `API_TOKEN=${fill("{l9}")}\n`),
      sourceFile("credentials.json", "{}\n"),
      sourceFile("terraform.tfstate", "{}\n", ""),
      sourceFile("certs/client.P12", ""),
    ];
    const { observations } = await secrets.analyse(files, readerContext());
    expect(observations.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      "deploy/id_rsa: By its name this is a private SSH key.",
      ".env: By its name this is a file of environment variables.",
      "credentials.json: By its name this is a file of credentials.",
      "certs/client.P12: By its name this is a certificate with its private key.",
    ]);
  });
});
