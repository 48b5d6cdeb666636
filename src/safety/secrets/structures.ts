import { readJwt, readUserAndPassword } from "./decode-secret.ts";
import { isPlaceholder } from "./placeholders.ts";
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
    { confidence: 0.75, sure: false, inside: 70 },
  ),
  structure(
    "token-header",
    "a token in a header",
    ["-H ", "-H=", '-H"', "-H'"],
    /-H[ =]?["'](?:x-[a-z-]{0,30}(?:key|token|secret)|api-?key|private-token|(?:proxy-)?authorization)\s?:\s?(?:token |apikey |key )?([\w~+/.=-]{16,400})["']/gi,
    { confidence: 0.75, sure: false },
  ),
  structure(
    "curl-user",
    "a user and a password of a command",
    "curl",
    /\bcurl\b[^\r\n|;]{0,300}?\s(?:-u|--user|--proxy-user|-U)[ =]?["']?[^\s:"'$<>{}]{1,60}:([^\s"'$<>{}@]{6,100})["']?/g,
    {
      confidence: 0.75,
    },
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
    /<add\s{1,4}key="(?:ClearText)?Password"\s{1,4}value="([^"%\r\n]{6,200})"/gi,
    { inside: 40 },
  ),
  structure(
    "wireguard-key",
    "a WireGuard private key",
    "PrivateKey",
    /^\s{0,4}PrivateKey\s?=\s?([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)/gm,
    { confidence: 0.9, inside: 6 },
  ),
];

function holdsPassword(base64: string): boolean {
  const credentials = readUserAndPassword(base64);
  return credentials !== undefined && !isPlaceholder("basic-auth", credentials.password, credentials.password);
}
