import { hash } from "node:crypto";

/** Words of documentation and templates; long enough that random characters do not spell them. */
const PLACEHOLDER_WORDS =
  /example|sample|placeholder|change[-_]?(?:me|it|this)|dummy|redacted|replace|insert|your[-_]|(?:your|my|the|some|any)(?:secret|token|api|key|pass|access)|goes[-_]?here|(?:put|enter|paste|fill|add)[-_]|not[-_]?a?[-_]?real|notreal|invalid|bogus|foobar|lorem|todo[-_]|<|>|\$\{|\{\{|\$\(|%\(|%\{|#\{|x{5}|\*{3}|\.{3}|…|0{8}|1234567|7654321|abcdefg|gfedcba|deadbeef|feedface|badc0de|c0ffee|cafebabe|qwerty|asdfgh/i;

/** Passwords that protect nothing: defaults of images and of documentation; then crossed out ones, and variables of shells and templates. */
const COMMON_PASSWORD =
  /^(?:password|passw0rd|p@ssw(?:0|o)rd|-?anonymous@?|passwd|pass|pwd|secret|test|testing|user|username|admin|root|postgres|mysql|mongo|mongodb|redis|rabbitmq|guest|foo|bar|baz|foobar|token|key|minio|minioadmin|sa|changeme|letmein|welcome|default|demo|none|null|undefined|true|false|(?:my|your|the|some|new|old|db|user|super|strong|secure)?[-_]?(?:pass(?:word|wd|phrase)?|pw|secret|token|(?:api)?[-_]?key)|s3cr3t|supersecret|hunter2|hello|world|value)[\d!]{0,4}$/i;
const CROSSED_OUT_OR_VARIABLE = /^(?:x+[\d!]{0,4}|\*+[\d!]{0,4}|[$%].*|__.*__[\d!]{0,4}|@.*@[\d!]{0,4})$/i;

/** Accounts whose passwords manuals tell, as long as these are no longer than one would make up for a manual. */
const STAND_IN_USER = /^(?:user|username|usr|name|login|me|foo|test|alice|bob)$/i;
const SHORT_PASSWORD = 8;

const LOCAL_HOST =
  /@(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[\w.-]{0,200}\.?example(?:\.[a-z]{1,30})?)(?:[:/?#]|$)/i;

/** In values that only their name makes a secret: what people write into tests and manuals, and what programs look up. */
const STAND_IN =
  /test|fake|mock|demo|foo|todo|none|null|undefined|default|secret|passw|token|api_?key|apikey|value|string|lorem|hello|world|process\.env|getenv|environ|config|secrets?\.|vault:|op:\/\/|arn:|ssm:|^ref\+|^enc\[|^!|^https?:|^file:|^\/|^\.{1,2}\/|^[@#$%&]|^--[a-z]|node_modules|\.(?:js|ts|json|ya?ml|html?|css|png|svg|md|txt|com|org|net|io)$/i;

/** A user and a password that a command takes to the same machine. */
const LOCAL_USER = /["']?(admin|root|user|test|guest|elastic|username):["']?(?:\1|pass(?:word)?)["']?$/i;

export const UUID_ONLY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Prefixes of hashes: they are made to be kept. */
const HASH =
  /^(?:\$(?:2[aby]|5|6|argon2\w*|scrypt|pbkdf2[\w-]*)\$|sha(?:1|256|384|512)[-:]|md5[-:]|bcrypt|\{(?:SSHA|SHA|bcrypt))/i;

/** Whether a match is a stand-in that people write where a secret will be, or a credential that opens nothing. */
export function isPlaceholder(rule: string, match: string, value: string): boolean {
  if (PLACEHOLDER_WORDS.test(value) || isMadeUp(value) || isPublished(value)) return true;
  if (rule === "url-parameter" && /\/\/(?:[\w-]+\.)*example\./i.test(match)) return true;
  // A name that the program puts in.
  if (rule === "url-parameter" && /^\{[\w.]{1,80}\}$/.test(value)) return true;
  if (rule === "curl-user" && LOCAL_USER.test(match)) return true;
  if (rule === "url-credentials") {
    const user = /:\/\/([^:]*):/.exec(match)?.[1];
    const told = STAND_IN_USER.test(user ?? "") && value.replace(/%[0-9a-f]{2}/gi, "%").length < SHORT_PASSWORD;
    return told || isTold(value) || value === user || LOCAL_HOST.test(match);
  }
  if (value.length < 12) return isTold(value);
  return new Set(value.slice(-20)).size < 6;
}

/** Whether it is a password that everybody knows. */
export function isTold(value: string): boolean {
  return COMMON_PASSWORD.test(value) || CROSSED_OUT_OR_VARIABLE.test(value);
}

/** As manifests and headers write what everybody knows. */
function isToldInBase64(value: string): boolean {
  if (value.length > 60 || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  const decoded = Buffer.from(value, "base64").toString("latin1").trim();
  return /^[\x20-\x7e]{4,}$/.test(decoded) && (isTold(decoded) || PLACEHOLDER_WORDS.test(decoded));
}

/** Characters of which most follow each other as a keyboard or an alphabet has them, or that repeat a few: fingers made these. */
function isMadeUp(value: string): boolean {
  const end = value
    .slice(-64)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
  if (end.length < 12) return false;
  return repeats(end) || follows(end, 1) || follows(end, 2);
}

/** Its end, three fifths of it and 16 characters at least, is one piece of at most eight characters, again and again. */
function repeats(text: string): boolean {
  for (let period = 1; period <= 8 && period * 3 <= text.length; period += 1) {
    let same = 0;
    for (let at = text.length - 1; at >= period && text[at] === text[at - period]; at -= 1) same += 1;
    if (same >= Math.max(period * 2, 16, text.length * 0.6)) return true;
  }
  return false;
}

/** Characters in a row, 7 of them or by twos 10, each follow the one `step` before them: `abcdefgh`, or `a1b2c3d4e5f6`. */
function follows(text: string, step: number): boolean {
  const least = step === 1 ? 7 : 10;
  let up = 0;
  let down = 0;
  for (let at = step; at < text.length; at += 1) {
    const difference = text.charCodeAt(at) - text.charCodeAt(at - step);
    up = difference === 1 ? up + 1 : 0;
    down = difference === -1 ? down + 1 : 0;
    if (up >= least || down >= least) return true;
  }
  return false;
}

/**
 * Keys and tokens that their own makers print in manuals and samples, by the beginning of their SHA-256: Google's samples of maps and of
 * Firebase, Stripe's test keys, the emulators of Azure Storage and of Cosmos DB, Telegram's and Discord's pages about bots, and the
 * tokens of jwt.io and of RFC 7515.
 */
const PUBLISHED = new Set(
  "e4902a0b3881 4486dba803eb ab80ff5e393b 1e0934cb7fd6 a0c4e477438c 2cafc0970149 f2d6ca165150 7e8de44ea9ec 0011cc25eb43 aa6547439583 0b5dd075ccdd 731fa294d036 02f7ce3c263f 7f75367e7881 da816f9f2c16 8d4ef6536dc8 ac9265e56c79".split(
    " ",
  ),
);

function isPublished(value: string): boolean {
  return value.length >= 20 && value.length <= 400 && PUBLISHED.has(hash("sha256", value).slice(0, 12));
}

/** As `isPlaceholder`, for values without a shape of their own. */
export function isStandIn(value: string): boolean {
  return (
    PLACEHOLDER_WORDS.test(value) ||
    COMMON_PASSWORD.test(value) ||
    STAND_IN.test(value) ||
    HASH.test(value) ||
    UUID_ONLY.test(value) ||
    isMadeUp(value) ||
    isPublished(value) ||
    isToldInBase64(value) ||
    new Set(value.slice(-20)).size < 5
  );
}
