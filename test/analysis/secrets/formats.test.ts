import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../../../src/analysis/child/find-secrets.ts";
import { SECRET_KINDS } from "../../../src/analysis/secrets/describe-secret.ts";
import { SERVICE_SECRETS } from "../../../src/safety/secrets/service-secrets.ts";
import { DECOYS } from "./decoys.ts";
import { fill } from "./sample-text.ts";
import { SAMPLES } from "./samples.ts";
import { SERVICE_SAMPLES } from "./service-samples.ts";

const FILE_NAME_ONLY = "sensitive-file";

async function rulesIn(text: string, textKind: "code" | "data" = "data"): Promise<string[]> {
  return (await findSecrets({ id: 0, text, textKind })).map(({ rule }) => rule);
}

describe("the kinds of secrets", () => {
  it("REV-1: are more than 120, and each has a sample", () => {
    const sampled = [...Object.keys(SAMPLES), ...Object.keys(SERVICE_SAMPLES), FILE_NAME_ONLY].sort();
    expect(sampled).toEqual([...SECRET_KINDS.keys()].sort());
    expect(sampled.length).toBeGreaterThan(300);
  });

  it.each(Object.keys(SAMPLES))("REV-1: %s is found and called by its name", async (rule) => {
    for (const seed of [3, 11]) expect(await rulesIn(fill(SAMPLES[rule]!, seed))).toContain(rule);
  });

  it("are found in a string, a variable of the shell and behind an escaped line feed", async () => {
    const prefixed = ["github-token", "aws-access-key", "stripe-key", "slack-token", "anthropic-key", "npm-token"];
    for (const rule of prefixed) {
      const token = fill(SAMPLES[rule]!);
      for (const text of [`const a = "${token}"; // b`, `export A=${token}`, `{"a": "A=1\\n${token}\\nB=2"}`]) {
        expect(await rulesIn(text), text).toContain(rule);
      }
    }
  });
});

describe("secrets as people write them", () => {
  const WRITTEN: Readonly<Record<string, readonly string[]>> = {
    age: ['key := "AGE-SEC|RET-KEY-1{g58}"', "AGE-SEC|RET-KEY-PQ-1{g58}{g58}", "AGE-PL|UGIN-YUBIKEY-1{g40}"],
    Sonar: ["sonar.login=sq|u_{h40}", "sonar.login={h40}", "mvn sonar:sonar -Dsonar.login={h40}", "SONAR_TOKEN: {l40}"],
    Snyk: ["SNYK_API={u}", "snyk auth {u}", "snyk config set api={u}", 'const snykKey = "{u}"'],
    Sourcegraph: ["SRC_ACCESS_TOKEN=sg|p_local_{h40}", "sg|p_{H16}_{H40}", "SRC_ACCESS_TOKEN={h40}"],
    Sendbird: ["sendbird_access_id = {u}", 'sendBirdApiToken: "{h40}"', 'curl -H "Api-Token: {h40}" https://a.b'],
    Teams: [
      "https://shop.web|hook.office.com/webhookb2/{u}@{u}/IncomingWebhook/{l32}/{u}/V2{w40}",
      "https://outlook.off|ice.com/webhook/{u}@{u}/IncomingWebhook/{h32}/{u}",
    ],
    JFrog: ["--set registryPasswordJfrog.password={w73}", 'artifactory_identity_token: "{w64}"', "AK|Cp{w69}"],
    curl: [
      'curl --user "ana:{w12}" https://a.b',
      "curl -k -X POST \\\n  -u 'ana:{w12}' \\\n  https://a.b",
      'curl https://a.b -u "ana":"{w12}"',
      "curl -sSuana:{w9} https://a.b",
      'curl --header "X-Vault-Token: {w26}" https://a.b',
      'curl -H "Authorization: Splunk {u}" https://a.b',
      'sh -c "curl -H \\"X-Api-Token: {w30}\\" https://a.b"',
    ],
    Kubernetes: [
      "  apiVersion: v1\n  kind: Secret\n  data:\n    password: {e{w12}}\n",
      "data:\n  password: {e{w12}}\nkind: Secret\n",
      "kind: Secret # of the shop\nstringData:\n  a: {w12} # new\n",
      'kind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  data:\n    p: "{e{w12}}"\n',
      '{\n  "kind": "Secret",\n  "data": {\n    "p": "{e{w12}}"\n  }\n}',
      "kind: Secret\ndata: { password: {e{w12}} }\n",
      'kind: "Secret"\r\ndata:\r\n  password: {e{w12}}\r\n',
    ],
    NuGet: [
      '<add key="Password" value="{w18}" />',
      '<add\tkey="ClearTextPassword"   value="{w8}"/>',
      "nuget setapikey {u}",
    ],
    Google: ['{\\"type\\":\\"service|_account\\",\\"project_id\\":\\"a\\",\\"private_key|_id\\":\\"{h40}\\"}'],
  };

  it.each(Object.keys(WRITTEN))("REV-1: %s", async (service) => {
    for (const text of WRITTEN[service]!.map((template) => fill(template, 5))) {
      for (const kind of ["code", "data"] as const) expect((await rulesIn(text, kind)).length, text).toBe(1);
    }
  });

  it("in a block of YAML", async () => {
    expect(await rulesIn(`kind: Secret\ndata:\n  key: |\n    ${fill("{e{w12}}")}\n`)).toEqual(["kubernetes-secret"]);
  });
});

describe("secrets that only the name of their service gives away", () => {
  const FORMS: readonly (readonly ["code" | "data", (name: string, value: string) => string])[] = [
    ["code", (name, value) => `${name}_token = "${value}"`],
    ["data", (name, value) => `${name.toUpperCase()}_API_KEY=${value}`],
    ["data", (name, value) => `${name}:\n  api_key: ${value}`],
    ["code", (name, value) => `var ${name}Secret string = "${value}"`],
    ["code", (name, value) => `<${name}Token>\n  ${value}\n</${name}Token>`],
    ["code", (name, value) => `System.setProperty("${name}_token", "${value}")`],
    ["code", (name, value) => `{"config": "${name}_token=${value}\\nA=1"}`],
    ["data", (name, value) => `run --${name}-token ${value}`],
  ];

  it.each(Object.keys(SERVICE_SAMPLES))("REV-1: %s, in eight ways to write it", async (rule) => {
    const [name, value] = SERVICE_SAMPLES[rule]!;
    for (const [kind, form] of FORMS) {
      const text = form(name, fill(value, rule.length));
      expect((await rulesIn(text, kind)).length, text).toBe(1);
    }
  });

  it("are nothing without it, and nothing where the name is of something else", async () => {
    for (const [, value] of Object.values(SERVICE_SAMPLES)) {
      expect(await rulesIn(`const revision = "${fill(value)}";`, "code")).toEqual([]);
    }
    expect(await rulesIn(`datadog_key_id = "${fill("{h32}")}"`)).toEqual([]);
    expect(await rulesIn(`algolia_public_key = "${fill("{l32}")}"`)).toEqual([]);
  });

  it("are tried only where the shape fits", () => {
    expect(SERVICE_SECRETS.filter(({ shape }) => shape.test("word") || shape.test("A sentence, with words."))).toEqual(
      [],
    );
  });
});

describe("look-alikes", () => {
  it("are left alone, but for one", async () => {
    const flagged: string[] = [];
    for (const [reason, text] of DECOYS) {
      for (const kind of ["code", "data"] as const) {
        const rules = await rulesIn(text, kind);
        if (rules.length > 0) flagged.push(`${reason}: ${text}`);
      }
    }
    expect(flagged.length, flagged.join("")).toBeLessThanOrEqual(1);
  });

  it("a token with a checksum that fits is certain", async () => {
    const body = fill("{w30}");
    const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let rest = crc32(body);
    let sum = "";
    for (let place = 0; place < 6; place += 1, rest = Math.floor(rest / 62)) sum = `${alphabet[rest % 62]}${sum}`;
    const prefix = ["gh", "p_"].join("");
    expect(await findSecrets({ id: 0, text: `${prefix}${body}${sum}` })).toMatchObject([{ proven: true }]);
    const [other] = await findSecrets({ id: 0, text: `${prefix}${fill("{w36}")}` });
    expect(other?.proven).toBeUndefined();
  });

  it("a token of three parts is a JWT only when it decodes to one", async () => {
    expect(await rulesIn(fill("{t}"))).toEqual(["jwt"]);
    expect(await rulesIn(fill("ey|J{w30}.ey|J{w60}.{w43}"))).toEqual([]);
  });
});
