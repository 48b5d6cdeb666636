import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import type { Asked } from "../../simulator/models/scripted-model.ts";
import { fill } from "../analysis/secrets/sample-text.ts";
import { SAMPLES } from "../analysis/secrets/samples.ts";
import { openPull } from "./pulls.ts";
import { worldWithModel } from "./with-model.ts";

const at = worldWithModel();

const KINDS = [
  ...["github-token", "github-fine-grained-token", "gitlab-token", "npm-token", "aws-access-key", "stripe-key"],
  ...["slack-token", "sendgrid-key", "anthropic-key", "openai-legacy-key", "hugging-face-token", "vault-token"],
  ...["digitalocean-token", "databricks-token", "shopify-token", "grafana-token", "linear-key", "telegram-token"],
  ...["azure-client-secret", "discord-bot-token", "mailchimp-key", "pypi-token", "doppler-token"],
];
const SECRETS = KINDS.map((kind, at) => fill(SAMPLES[kind]!, at + 3));
/** What only its name makes a secret: found by the scanner, it is a known value of this change, also in base64. */
const NAMED = fill("{w40}", 99);

const FILES = {
  "src/keys.ts": SECRETS.map((secret, at) => `export const key${at} = "${secret}";\n`).join(""),
  "src/named.ts": `export const internal_api_key = "${NAMED}";\nexport const b = "${Buffer.from(NAMED).toString("base64")}";\n`,
  "README.md": `Call it with \`${SECRETS[5]}\`.\n`,
};

/** Reads every file, and repeats whatever a person could have told it: its answers are as bad as they can be. */
function leakingReader({ messages }: Asked) {
  const text = JSON.stringify(messages);
  if (text.includes("to refute each claim")) {
    const judgements = [{ claim: 1, verdict: "stands", reason: `as ${SECRETS.join(" ")} says` }];
    return { calls: [{ name: "complete", input: { judgements } }] };
  }
  if (messages.length < 3) {
    const paths = Object.keys(FILES);
    return { calls: paths.map((path) => ({ name: "read_file", input: { path } })) };
  }
  const claim = {
    file: "src/named.ts",
    line: 1,
    quote: "export const internal_api_key =",
    kind: "logic",
    severity: "warning",
    claim: `It holds ${SECRETS.slice(0, 12).join(", ")}.`,
    scenario: `Whoever has ${SECRETS.slice(12).join(", ")} gets in.`,
    confidence: 0.9,
  };
  return { calls: [{ name: "complete", input: { summary: SECRETS.join(" "), findings: [claim] } }] };
}

it("SEC-6: a planted secret of any kind gets out nowhere: not posted, stored or sent to a model", async () => {
  const asked: string[] = [];
  const recording = (request: Asked) => {
    asked.push(JSON.stringify(request));
    return leakingReader(request);
  };
  const files = { "src/a.ts": "export const a = 1;\n", ".github/forge.yml": "review:\n  ai: always\n" };
  await at.begin(recording, files);
  const { number } = await openPull(at.world, FILES, { branch: "topic", title: `Use ${SECRETS[0]}` });
  await at.world.settled();
  const pull = at.world.github.pullRequest("acme/shop", number);
  const posted = JSON.stringify([pull.reviews, pull.reviewComments, pull.comments, pull.allCheckRuns]);
  expect(posted).toContain("a live Stripe key");
  expect(asked.length).toBeGreaterThan(1);

  const tables = ["events", "findings", "effects", "memories", "checkpoints"];
  const stored: string[] = [];
  for (const table of tables) {
    stored.push(JSON.stringify(await at.world.forge!.store.read.all(sql`select * from ${sql.identifier(table)}`)));
  }
  const outlets = { posted, asked: asked.join("\n"), stored: stored.join("\n") };
  for (const [outlet, text] of Object.entries(outlets)) {
    expect(text.length, outlet).toBeGreaterThan(100);
    const leaked = [...SECRETS, NAMED].filter((secret) => text.includes(secret.slice(3, -3)));
    expect(
      leaked.map((secret) => KINDS[SECRETS.indexOf(secret)] ?? "named"),
      outlet,
    ).toEqual([]);
  }
  expect(outlets.asked).not.toContain(Buffer.from(NAMED).toString("base64").slice(4, 40));
});
