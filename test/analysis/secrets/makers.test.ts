import { describe, expect, it } from "vitest";
import { findSecrets } from "../../../src/analysis/child/find-secrets.ts";

// Values as their makers describe them, made here: none was ever anybody's. Parted, so that no search of this file finds one.

/** The same characters at every run, as even as random ones. */
function made(seed: number, length: number, alphabet: string): string {
  let state = seed * 2_654_435_761;
  return Array.from({ length }, () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return alphabet[Math.floor((state / 4_294_967_296) * alphabet.length)];
  }).join("");
}
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const ALL = `${LOWER}${LOWER.toUpperCase()}0123456789`;
const HEX = "0123456789abcdef";
const BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";
const hex = (seed: number, length: number) => made(seed, length, HEX);
const uuid = (seed: number) =>
  `${hex(seed, 8)}-${hex(seed + 1, 4)}-4${hex(seed + 2, 3)}-a${hex(seed + 3, 3)}-${hex(seed + 4, 12)}`;
const base64 = (text: string) => Buffer.from(text).toString("base64");
const account = (seed: number) =>
  JSON.stringify(
    {
      type: "service_account",
      project_id: "harbour",
      private_key_id: hex(seed, 40),
      private_key: `-----BEGIN ${"PRIVATE"} KEY-----\nMIIEv${made(seed, 800, ALL)}\n-----END ${"PRIVATE"} KEY-----\n`,
      client_email: "build@harbour.iam.gserviceaccount.com",
    },
    null,
    2,
  );

const count = async (text: string, textKind: "code" | "data" = "data") =>
  (await findSecrets({ id: 0, text, textKind })).length;

const KINDS: readonly (readonly [string, string])[] = [
  ["an age key", `# public key: age1${made(1, 58, BECH32.toLowerCase())}\nAGE-SECRET-${"KEY"}-1${made(2, 58, BECH32)}`],
  ["an age key in a setting", `SOPS_AGE_KEY=AGE-SECRET-${"KEY"}-1${made(3, 58, BECH32)}`],
  ["a service account file", account(4)],
  ["a service account on one line", `GCP_CREDENTIALS='${JSON.stringify(JSON.parse(account(5)))}'`],
  ["a service account in base64", `credentials: ${base64(account(6))}`],
  ["a Sonar token", `sonar.token=sqp_${hex(7, 40)}`],
  ["a Sonar user token", `SONAR_TOKEN: squ_${hex(8, 40)}`],
  ["an old Sonar token", `mvn sonar:sonar -Dsonar.login=${hex(9, 40)}`],
  ["a Snyk token", `SNYK_TOKEN=${uuid(10)}`],
  ["a Snyk token in YAML", `  snyk_api_key: "${uuid(20)}"`],
  ["a Sourcegraph token", `SRC_ACCESS_TOKEN=sgp_${hex(30, 16)}_${hex(31, 40)}`],
  ["a Sourcegraph token without an instance", `export SRC_ACCESS_TOKEN=sgp_${hex(32, 40)}`],
  ["an old Sourcegraph token", `sourcegraph_access_token = "${hex(33, 40)}"`],
  ["a Sendbird key", `SENDBIRD_API_TOKEN=${hex(40, 40)}`],
  ["a Sendbird application", `sendbird_access_id: ${uuid(41)}`],
  [
    "a Teams webhook",
    `https://harbour.webhook.office.com/webhookb2/${uuid(50)}@${uuid(55)}/IncomingWebhook/${hex(56, 32)}/${uuid(60)}`,
  ],
  [
    "an old Teams webhook",
    `url = "https://outlook.office.com/webhook/${uuid(65)}@${uuid(70)}/IncomingWebhook/${hex(71, 32)}/${uuid(75)}"`,
  ],
  ["a JFrog key", `JFROG_API_KEY=AKCp${made(80, 69, ALL)}`],
  ["a JFrog reference token", `artifactory_token: "cmVmdGtuOjAxOj${made(81, 50, ALL)}"`],
  ["a JFrog identity token", `jfrog_identity_token = "${made(82, 64, ALL)}"`],
  [
    "a PKCS#12 file",
    `keystore: ${Buffer.from([0x30, 0x82, 0x0a, 0x11, 0x02, 0x01, 0x03, 0x30, 0x82, 0x09, 0xd7, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07]).toString("base64")}${made(83, 600, ALL)}`,
  ],
  ["a user of curl", `curl -u build:${made(84, 16, ALL)} https://api.harbour.dev/v1`],
  ["a user of curl, behind it", `curl https://api.harbour.dev/v1 --user "build:${made(85, 16, ALL)}"`],
  ["a header of curl", `curl -H "Authorization: Bearer ${made(86, 40, ALL)}" https://api.harbour.dev/v1`],
  [
    "a basic header of curl",
    `curl --header 'Authorization: Basic ${base64(`build:${made(87, 18, ALL)}`)}' https://api.harbour.dev`,
  ],
  ["a key in a header of curl", `curl -X POST -H 'X-API-Key: ${made(88, 32, ALL)}' https://api.harbour.dev`],
  [
    "a Kubernetes secret",
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: ${base64(made(89, 20, ALL))}\n`,
  ],
  [
    "a Kubernetes secret in plain text",
    `kind: Secret\napiVersion: v1\nmetadata:\n  name: db\nstringData:\n  DB_PASSWORD: ${made(90, 16, ALL)}!\n`,
  ],
  [
    "a Kubernetes secret among others",
    `kind: Service\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: "Secret"\ntype: Opaque\nmetadata:\n  name: b\ndata:\n  api-key: "${base64(made(91, 30, ALL))}"\n`,
  ],
  ["a NuGet key", `dotnet nuget push a.nupkg --api-key oy2${made(92, 43, `${LOWER}234567`)}`],
  [
    "a password of NuGet",
    `<packageSourceCredentials>\n  <harbour>\n    <add key="Username" value="build" />\n    <add key="ClearTextPassword" value="${made(93, 18, ALL)}7!" />\n  </harbour>\n</packageSourceCredentials>`,
  ],
];

const GOOGLE = "AIza";
const DECOYS: readonly (readonly [string, string])[] = [
  ["a key of Google's pages", `key=${GOOGLE}SyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe`],
  ["a key of zeros", `key: ${GOOGLE}${"0".repeat(35)}`],
  ["a Snyk token of zeros", "SNYK_TOKEN=00000000-0000-0000-0000-000000000000"],
  ["a Sonar token of zeros", `sonar.token=sqp_${"0".repeat(40)}`],
  ["a token of x", `GITHUB_TOKEN=ghp_${"x".repeat(36)}`],
  ["a token that counts", "SONAR_TOKEN=sqp_1234567890123456789012345678901234567890"],
  ["a token called an example", `const exampleToken = "ghp_${made(100, 36, ALL)}";`],
  ["a sample key", `SAMPLE_API_KEY="${made(101, 32, ALL)}"`],
  ["a fake password", `fake_password = "${made(102, 16, ALL)}"`],
  ["a token for a mock", `mockAccessToken: "${made(103, 40, ALL)}"`],
  ["AWS's own example", `aws_access_key_id = AKIAIOSFODNN7${"EXAMPLE"}`],
  ["a variable of a shell", 'curl -u "$USER:$PASSWORD" https://api.harbour.dev'],
  ["a variable in a header", `curl -H "Authorization: Bearer $${"{TOKEN}"}" https://api.harbour.dev`],
  ["a place in angle brackets", 'curl -H "X-API-Key: <your-api-key>" https://api.harbour.dev'],
  ["a user at home", "curl -u admin:admin http://localhost:8080"],
  [
    "a reference to a secret",
    "env:\n  - name: DB\n    valueFrom:\n      secretKeyRef:\n        name: db\n        key: password\n",
  ],
  [
    "a Kubernetes secret that is a place",
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  password: {{ .Values.password }}\n",
  ],
  ["a Kubernetes secret of nothing", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata: {}\n"],
  [
    "a Kubernetes secret to be changed",
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: ${base64("changeme")}\n`,
  ],
  ["an age recipient", `age1${made(104, 58, BECH32.toLowerCase())}`],
  ["a public key", `-----BEGIN PUBLIC KEY-----\n${made(105, 300, ALL)}\n-----END PUBLIC KEY-----`],
  [
    "a service account without its key",
    JSON.stringify({ type: "service_account", project_id: "harbour", private_key_id: "", private_key: "" }),
  ],
  ["a variable of NuGet", '<add key="ClearTextPassword" value="%NUGET_PASSWORD%" />'],
  ["a checksum", `sha256: ${hex(106, 64)}`],
  ["an integrity", `"integrity": "sha512-${base64(made(107, 64, ALL))}"`],
  ["a commit", `commit = "${hex(108, 40)}"`],
  ["an id", `"requestId": "${uuid(109)}"`],
  ["a word", 'password: "password"'],
  ["a function", "const token = readToken(process.env.TOKEN_FILE);"],
  ["a webhook of a page", "https://outlook.office.com/webhook/<guid>@<guid>/IncomingWebhook/<id>/<guid>"],
];

describe("kinds of secrets as their makers describe them", () => {
  it.each(KINDS)("SEC-6: %s is found", async (_, text) => {
    expect(await count(text), text).toBeGreaterThan(0);
  });

  it.each(DECOYS)("SEC-6: %s is none", async (_, text) => {
    expect(await count(text), text).toBe(0);
  });
});
