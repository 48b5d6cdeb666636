import { readJson, readJwt, readUserAndPassword } from "./decode-secret.ts";
import { isPlaceholder, isStandIn, UUID_ONLY } from "./placeholders.ts";
import { looksRandom, meanRun } from "./randomness.ts";
import type { Hint, SecretFormat } from "./secret-format.ts";

function structure(
  rule: string,
  what: string,
  hint: Hint,
  pattern: RegExp,
  options: Partial<SecretFormat> = {},
): SecretFormat {
  return { rule, what, hints: [hint].flat(), pattern, confidence: 0.8, sure: true, mildInTests: true, ...options };
}

/** How the file of a Google service account begins in base64: as a program writes it, and as Google does. */
const SERVICE_ACCOUNTS = [
  '{"type":"service_account"',
  '{"type": "service_account"',
  '{\n  "type": "service_account"',
].map((begin) =>
  Buffer.from(begin)
    .toString("base64")
    .slice(0, Math.floor((begin.length * 8) / 6)),
);

const readBase64Json = (value: string) => readJson(Buffer.from(value, "base64").toString("utf8"));

/** Secrets by shape rather than by vendor. */
export const STRUCTURES: readonly SecretFormat[] = [
  structure(
    "private-key",
    "a private key",
    "PRIVATE KEY",
    /-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|[\sA-Za-z0-9+/=:,.\-"'`]){0,200}?([A-Za-z0-9+/=]{40})/g,
    { confidence: 0.97, inside: 40 },
  ),
  structure("putty-key", "a PuTTY private key", "Private-Lines", /Private-Lines: \d{1,4}\r?\n([A-Za-z0-9+/=]{20})/g, {
    confidence: 0.95,
  }),
  structure(
    "url-credentials",
    "a password inside a URL",
    "://",
    /\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}:\/\/[^\s:@/?#"'`<>()[\]{}]{0,80}:([^\s:@/?#"'`<>()[\]{}]{3,120})@[^\s:@/?#"'`<>()[\]{}]{1,200}/g,
    { inside: 24 },
  ),
  structure(
    "url-parameter",
    "a password inside a URL",
    "://",
    /\b[a-zA-Z][a-zA-Z0-9+.:-]{1,30}:\/\/[^\s"'`<>?]{1,200}\?[^\s"'`<>]{0,200}?\b(?:password|passwd|pwd|secret|api_?key|access_token|auth_token)=([^\s&"'`<>]{6,200})/gi,
    {
      confidence: 0.6,
      sure: false,
      inside: 34,
    },
  ),
  structure(
    "connection-string",
    "a password inside a connection string",
    ["assword", "ASSWORD", "pwd", "Pwd", "PWD"],
    /\b(?:server|data source|host|endpoint|addr|address)\s?=[^;"'`\r\n]{1,200};[^"'`\r\n]{0,300}?\b(?:password|pwd)\s?=\s?([^;"'`\r\n]{4,128})/gi,
    { inside: 540 },
  ),
  structure(
    "supabase-service-key",
    "a Supabase service key",
    "eyJ",
    /(?<![\w.-])(eyJ[\w-]{10,200}\.eyJ[\w-]{20,600}\.[\w-]{43})(?![\w-])/g,
    {
      confidence: 0.95,
      mildInTests: false,
      accepts: (value) => readJwt(value)?.role === "service_role",
    },
  ),
  structure(
    "jwt",
    "a signed token (JWT)",
    "eyJ",
    /(?<![\w.-])(eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,1000})/g,
    {
      confidence: 0.7,
      sure: false,
      accepts: (value) => readJwt(value) !== undefined,
    },
  ),
  structure("jwt-base64", "a signed token (JWT) in base64", "ZXlK", /\bZXlK[A-Za-z0-9+/]{60,4000}={0,2}/g, {
    confidence: 0.7,
    sure: false,
    accepts: (value) => readJwt(Buffer.from(value, "base64").toString("latin1")) !== undefined,
  }),
  structure(
    "basic-auth",
    "a user and a password in a header",
    "asic ",
    /\b[Bb]asic ([A-Za-z0-9+/]{8,200}={0,2})(?![A-Za-z0-9+/=])/g,
    {
      confidence: 0.85,
      accepts: holdsPassword,
      inside: 2,
    },
  ),
  structure(
    "bearer-token",
    "a bearer token in a header",
    "earer ",
    /(?:authorization|-H|header)\b[^\r\n]{0,40}?\b[Bb]earer ([A-Za-z0-9_~+/.=-]{20,600})(?![A-Za-z0-9_~+/.=-])/gi,
    { confidence: 0.75, sure: false, inside: 70, accepts: isNoName },
  ),
  structure(
    "token-header",
    "a token in a header",
    ["-H ", "-H=", '-H"', "-H'", "-H$", "--header"],
    /(?:-H|--header)[ =]?\$?\\?["'](?:[\w-]{0,40}(?:key|token|secret|auth|password|passwd)[\w-]{0,20}|authorization)\s?:\s?(?:[A-Za-z-]{2,16}[ =]{1,2}\\?"?)?([\w~+/.=:-]{10,400})\\?["']/gi,
    { confidence: 0.75, sure: false, accepts: isKeyOfHeader },
  ),
  structure(
    "curl-user",
    "a user and a password of a command",
    "curl",
    /\bcurl\b(?:[^\n|;\\]|\\(?:\r?\n)?){0,400}?\s(?:-[a-zA-Z]{0,6}[uU]|--user|--proxy-user)[ =]{0,2}["']?[^\s:"'$<>{}]{0,80}["']?:["']?([^\s"'$<>{}]{4,100})["']?/g,
    { confidence: 0.75, accepts: (value) => !value.startsWith("//") },
  ),
  structure(
    "curl-key",
    "a key of a command",
    "curl",
    /\bcurl\b(?:[^\n|;\\]|\\(?:\r?\n)?){0,400}?\s(?:-[a-zA-Z]{0,6}u|--user)[ =]{0,2}["']?([\w.=-]{16,200}):["']?(?=\s|$)/g,
    { confidence: 0.7, sure: false, accepts: looksRandom },
  ),
  structure(
    "command-password",
    "a password of a command",
    ["sshpass", "mysql", "redis-cli", "docker login", "podman login"],
    /\b(?:sshpass\s{1,3}-p\s{0,3}|mysql(?:dump|admin)?\b[^\n|;]{0,120}?\s-p|redis-cli\b[^\n|;]{0,120}?\s-a\s{1,3}|(?:docker|podman) login\b[^\n|;]{0,120}?\s(?:-p|--password)[ =])["']?([^\s"'$<>{}/-][^\s"'$<>{}]{5,100})/g,
    { confidence: 0.7, sure: false, accepts: (value) => /\d/.test(value) && /[A-Za-z]/.test(value) },
  ),
  structure(
    "netrc",
    "a password of a .netrc",
    "machine ",
    /\bmachine\s{1,3}\S{1,100}\s{1,6}login\s{1,3}\S{1,100}\s{1,6}password\s{1,3}([^\s"'{}<>$]{4,200})/g,
  ),
  structure(
    "npmrc-auth",
    "a password of a package registry",
    [":_auth", ":_password"],
    /\/\/[\w.:/@-]{3,200}:_(?:authToken|auth|password)\s?=\s?["']?([\w+/=.-]{16,400})/g,
    {
      confidence: 0.9,
      inside: 210,
    },
  ),
  structure(
    "npmrc-legacy-auth",
    "a password of a package registry",
    "_auth",
    /^_(?:auth|authToken|password)\s?=\s?["']?([\w+/=.-]{12,400})/gm,
  ),
  structure(
    "docker-auth",
    "a password of a container registry",
    '"auth"',
    /"auths?"\s?:\s?"([A-Za-z0-9+/]{8,2000}={0,2})"/g,
    {
      confidence: 0.9,
      accepts: holdsPassword,
    },
  ),
  structure(
    "nuget-password",
    "a password of a package source",
    "assword",
    /<add\b[^<>\r\n]{0,120}?\bkey\s?=\s?["'](?:ClearText)?Password["']\s{1,8}value\s?=\s?["']([^"'%<>\r\n]{4,600})["']/gi,
    { inside: 160 },
  ),
  structure(
    "wireguard-key",
    "a WireGuard private key",
    "PrivateKey",
    /^\s{0,4}PrivateKey\s?=\s?([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)/gm,
    { confidence: 0.9, inside: 6 },
  ),
  structure(
    "google-service-account",
    "the key of a Google service account",
    "service_account",
    /\\{0,4}"type\\{0,4}"\s{0,2}:\s{0,2}\\{0,4}"service_account\\{0,4}"[^{}]{0,400}?"private_key_id\\{0,4}"\s{0,2}:\s{0,2}\\{0,4}"([a-f0-9]{40})/g,
    { confidence: 0.9, inside: 24 },
  ),
  structure(
    "google-service-account-base64",
    "the key of a Google service account in base64",
    SERVICE_ACCOUNTS,
    new RegExp(`(?:${SERVICE_ACCOUNTS.join("|")})[A-Za-z0-9+/=]{200,8000}`, "g"),
    { confidence: 0.95, accepts: (value) => typeof readBase64Json(value)?.private_key === "string" },
  ),
  structure(
    "pkcs12-base64",
    "a PKCS#12 file in base64",
    "IBAzCC",
    // SEQUENCE, the version number 3, SEQUENCE: how every one begins.
    /MII[A-Za-z0-9+/]{2}[AQgw]IBAzCC[A-Za-z0-9+/]{60,20000}={0,2}/g,
    { confidence: 0.85, inside: 8 },
  ),
  structure(
    "jwk-private-key",
    "a private key as JSON (JWK)",
    ['"kty', "kty:"],
    /["']?kty["']?\s?:\s?["'](?:RSA|EC|OKP|oct)["'][^{}]{0,1600}?["']?\b(?:d|k)["']?\s?:\s?["']([\w-]{40,700})["']/g,
    { confidence: 0.9, inside: 1 },
  ),
  structure(
    "laravel-key",
    "the key of a Laravel application",
    "base64:",
    /\bAPP_(?:PREVIOUS_)?KEYS?\s?=\s?["']?base64:([A-Za-z0-9+/]{43}=)/g,
    { confidence: 0.9, inside: 24 },
  ),
  structure(
    "wordpress-key",
    "a key of a WordPress site",
    "define",
    /\bdefine\(\s{0,4}["'](?:AUTH|SECURE_AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)["']\s{0,4},\s{0,12}(?:'([^'\r\n]{40,100})'|"[^"\r\n]{40,100}")/g,
    { confidence: 0.85, accepts: (value) => /[^A-Za-z ]/.test(value) },
  ),
  structure(
    "mnemonic",
    "the words of a wallet",
    ["nemonic", "NEMONIC", "eed_phrase", "eedPhrase", "EED_PHRASE"],
    /(?:mnemonic|seed_?phrase)\w{0,20}["']?\s{0,3}[:=]\s{0,3}["'`]((?:[a-z]{3,8} ){11,23}[a-z]{3,8})["'`]/gi,
    { confidence: 0.85, inside: 1, accepts: (value) => new Set(value.split(" ")).size >= 9 },
  ),
];

/** What no name of a variable or of a place to fill in looks like. */
function isNoName(value: string): boolean {
  return meanRun(value) < (/\d/.test(value) ? 3.4 : 3);
}

function isKeyOfHeader(value: string): boolean {
  return UUID_ONLY.test(value) || (/\d/.test(value) && !isStandIn(value) && isNoName(value));
}

function holdsPassword(base64: string): boolean {
  const credentials = readUserAndPassword(base64);
  return credentials !== undefined && !isPlaceholder("basic-auth", credentials.password, credentials.password);
}
