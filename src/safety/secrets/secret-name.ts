/** The kind of value that a name tells: a password, a key or token, or neither. */
export type SecretName = "password" | "key" | "other" | "public";

const PASSWORD = new Set(["password", "passwd", "passphrase", "pwd", "pass", "passwort"]);
const KEY = new Set([
  "secret",
  "secrets",
  "token",
  "apikey",
  "authkey",
  "accesskey",
  "secretkey",
  "credential",
  "credentials",
  "creds",
  "bearer",
  "authtoken",
  "accesstoken",
  "auth",
  "apitoken",
  "pat",
]);
const BEFORE_KEY = new Set(
  "api access auth account private encryption encrypt signing signature master license licence server service app ssh session shared storage hmac jwt write admin secret integration aes crypto deploy subscription functions function client".split(
    " ",
  ),
);

/** As its last word: the name is about a secret, and its value is none. */
const ABOUT = new Set(
  "id ids name names type types kind url uri urls path paths file files filename dir directory length size count counts index field fields label labels regex regexp pattern prefix suffix header headers param params parameter placeholder hint error errors message messages msg text title description desc help endpoint host env var variable variables ref refs arn version algorithm alg format policy strategy provider store storage manager class component scheme expires expiration expiry ttl timeout limit max min required enabled visible selector xpath link page form input button icon hash hashed digest checksum fingerprint column table status state reset change event action request response validator rules rule strength score template route view key_id lifetime duration date time generator factory builder handler helper util utils parser reader loader lookup map mode usage scope scopes issuer audience option options config settings setting schema list array set group role user username email arg args argument flag property attribute attr tag tags node element separator delimiter char chars character kinds budget price cost mgr realm encode decode trim replace split includes match test equals append push check verify validate compare require assert prompt incorrect invalid".split(
    " ",
  ),
);

/** Anywhere in the name: what it holds is meant to be seen, or is no secret at all. */
const SEEN = new Set(
  "public pub publishable csrf xsrf tokenizer tokens keyword keywords keyboard primary foreign partition sort cache idempotency translation translations i18n locale lang language query react syntax lexer lex ast parse parser eof indent jquery css color colour theme design semantic next prev current expected placeholder example dummy sample mock fake integrity sha sha1 sha256 sha512 md5 commit checksum etag nonce cursor page continuation pagination site sitekey recaptcha analytics measurement tracking pixel".split(
    " ",
  ),
);

export function readSecretName(name: string): SecretName {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  // Half of a pair of which the other half is called a key.
  if (last === "id" && words.at(-2) === "access") return "other";
  if (ABOUT.has(last) || words.some((word) => SEEN.has(word))) return "public";
  if (words.some((word) => PASSWORD.has(word))) return "password";
  if (words.some((word) => KEY.has(word))) return "key";
  const key = words.lastIndexOf("key");
  if (key > 0 && BEFORE_KEY.has(words[key - 1] ?? "")) return "key";
  return "other";
}

/** The words of a name in camel, snake, kebab or dotted case, in lower case and without numbers at their ends. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/^\d+|(?<!\d)\d+$/g, ""))
    .filter(Boolean);
}
