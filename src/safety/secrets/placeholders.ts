/** Words of documentation and templates; long enough that random characters do not spell them. */
const PLACEHOLDER_WORDS =
  /example|sample|placeholder|change[-_]?(?:me|it|this)|dummy|redacted|replace|insert|your[-_]|<|>|\$\{|\{\{|\$\(|%\(|%\{|#\{|x{5}|\*{3}|\.{3}|…|0{8}|1234567|abcdefg|deadbeef|cafebabe|qwerty|asdfgh/i;

/** Passwords that protect nothing: defaults of images and of documentation, and variables of shells and templates. */
const COMMON_PASSWORD =
  /^(?:password|passw0rd|p@ssw(?:0|o)rd|-?anonymous@?|passwd|pass|pwd|secret|test|testing|user|username|admin|root|postgres|mysql|mongo|mongodb|redis|rabbitmq|guest|foo|bar|baz|foobar|token|key|minio|minioadmin|sa|changeme|letmein|welcome|default|demo|none|null|undefined|true|false|x+|\*+|\$.*|%.*|__.*__|@.*@)[\d!]{0,4}$/i;

/** Whose passwords manuals tell, as long as they are no longer than one would make up for a manual. */
const STAND_IN_USER = /^(?:user|username|usr|name|login|me|foo|test|alice|bob)$/i;
const SHORT_PASSWORD = 8;

const LOCAL_HOST =
  /@(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[\w.-]*\.?example(?:\.[a-z]+)?)(?:[:/?#]|$)/i;

/** In values that only their name makes a secret: what people write into tests and manuals, and what programs look up. */
const STAND_IN =
  /test|fake|mock|demo|foo|todo|none|null|undefined|default|secret|passw|token|api_?key|apikey|value|string|lorem|hello|world|process\.env|getenv|environ|config|secrets?\.|vault:|op:\/\/|arn:|ssm:|^ref\+|^enc\[|^!|^https?:|^file:|^\/|^\.{1,2}\/|^[@#$%&]|^--[a-z]|node_modules|\.(?:js|ts|json|ya?ml|html?|css|png|svg|md|txt|com|org|net|io)$/i;

export const UUID_ONLY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What hashes begin with: they are made to be kept. */
const HASH =
  /^(?:\$(?:2[aby]|5|6|argon2\w*|scrypt|pbkdf2[\w-]*)\$|sha(?:1|256|384|512)[-:]|md5[-:]|bcrypt|\{(?:SSHA|SHA|bcrypt))/i;

/** Whether a match is a stand-in that people write where a secret will be, or a credential that opens nothing. */
export function isPlaceholder(rule: string, match: string, value: string): boolean {
  if (PLACEHOLDER_WORDS.test(value)) return true;
  if (rule === "url-parameter" && /\/\/(?:[\w-]+\.)*example\./i.test(match)) return true;
  if (rule === "url-credentials") {
    const user = /:\/\/([^:]*):/.exec(match)?.[1];
    const told = STAND_IN_USER.test(user ?? "") && value.replace(/%[0-9a-f]{2}/gi, "%").length < SHORT_PASSWORD;
    return told || COMMON_PASSWORD.test(value) || value === user || LOCAL_HOST.test(match);
  }
  if (value.length < 12) return COMMON_PASSWORD.test(value);
  return new Set(value.slice(-20)).size < 6;
}

/** As `isPlaceholder`, for values without a shape of their own. */
export function isStandIn(value: string): boolean {
  return (
    PLACEHOLDER_WORDS.test(value) ||
    COMMON_PASSWORD.test(value) ||
    STAND_IN.test(value) ||
    HASH.test(value) ||
    UUID_ONLY.test(value) ||
    new Set(value.slice(-20)).size < 5
  );
}
