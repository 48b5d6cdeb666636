import { type EslintRule, weakness } from "./eslint-rule.ts";

/**
 * Insecure patterns that need no types. Left out: what the search for secrets finds better (hard-coded credentials), what fires on
 * ordinary code (Math.random, `http://`, programs found by PATH, `/tmp`), and what wants every header set by hand.
 */
const RULES: readonly EslintRule[] = [
  weakness(
    { name: "no-implied-eval", title: "Code injection (timer)", cwe: 95, remedy: "Pass a function." },
    "Text is run as code by a timer.",
    "Whoever can influence the text runs code with the rights of this program.",
    { severity: "error", confidence: 0.85, runsText: "always" },
  ),
  weakness(
    { name: "no-new-func", title: "Code injection (new Function)", cwe: 95, remedy: "Write the function in the code." },
    "A function is made from text.",
    "Whoever can influence the text runs code with the rights of this program.",
    // `Function("return this")()` is the global object, in every engine.
    {
      confidence: 0.65,
      runsText: "always",
      code: /^(?!(?:new\s{1,9})?Function\(\s{0,9}(["'])return this;?\1\s{0,9}\))/,
    },
  ),
  weakness(
    {
      name: "no-unsanitized/property",
      title: "Cross-site scripting (XSS)",
      cwe: 79,
      remedy: "Use `textContent`, or sanitize it first.",
    },
    "HTML that is not constant is put into the page.",
    "If any of it comes from people, they can run scripts in the pages of others.",
    { confidence: 0.72 },
  ),
  // The rule takes `import(variable)` for a danger of the same kind, which in Node it hardly ever is.
  weakness(
    {
      name: "no-unsanitized/method",
      title: "Cross-site scripting (XSS)",
      cwe: 79,
      remedy: "Build nodes, or sanitize it first.",
    },
    "HTML that is not constant is written into the page.",
    "If any of it comes from people, they can run scripts in the pages of others.",
    { confidence: 0.72, unlessSaying: /call to import\b/ },
  ),
  weakness(
    { name: "sonarjs/sql-queries", title: "SQL injection", cwe: 89, remedy: "Pass values as parameters." },
    "An SQL query is put together from pieces.",
    "If a piece comes from people, they decide what the database does.",
    { sonarKey: "S2077", severity: "error", confidence: 0.75 },
  ),
  weakness(
    {
      name: "sonarjs/os-command",
      title: "Command injection",
      cwe: 78,
      remedy: "Use `execFile` or `spawn` with a list of arguments and no shell.",
    },
    "A shell runs a command that is put together from variables.",
    "Whoever controls a part of it can run any command.",
    { sonarKey: "S4721", confidence: 0.7, runsText: "from outside" },
  ),
  weakness(
    {
      name: "sonarjs/unverified-certificate",
      title: "Certificate verification disabled",
      cwe: 295,
      remedy: "Leave the check on, and add your own authority with `ca`.",
    },
    "The certificate of the other side is not checked.",
    "Anybody on the way can read and change this connection.",
    { sonarKey: "S4830", severity: "error", confidence: 0.85 },
  ),
  weakness(
    {
      name: "sonarjs/unverified-hostname",
      title: "Host name verification disabled",
      cwe: 297,
      remedy: "Leave the check on.",
    },
    "The certificate's host name is not checked.",
    "Any valid certificate is accepted, so anybody on the way can read and change this connection.",
    { sonarKey: "S5527", severity: "error", confidence: 0.85 },
  ),
  weakness(
    { name: "sonarjs/weak-ssl", title: "Outdated TLS version", cwe: 327, remedy: "Require TLS 1.2 or later." },
    "A protocol version below TLS 1.2 is allowed.",
    "Its known faults let others read the connection.",
    { sonarKey: "S4423", severity: "error", confidence: 0.85 },
  ),
  weakness(
    { name: "sonarjs/no-weak-cipher", title: "Weak cipher", cwe: 327, remedy: "Use AES-256-GCM or ChaCha20-Poly1305." },
    "A broken cipher is used.",
    "What it encrypts can be read without the key.",
    { sonarKey: "S5547", severity: "error", confidence: 0.85 },
  ),
  // CBC is reported by the rule as well; with a check of integrity beside it, it is sound.
  weakness(
    {
      name: "sonarjs/encryption-secure-mode",
      title: "ECB encryption mode",
      cwe: 327,
      remedy: "Use an authenticated mode such as GCM.",
    },
    "Data is encrypted block by block (ECB).",
    "Equal blocks give equal ciphertext, so its structure stays visible.",
    { sonarKey: "S5542", severity: "error", confidence: 0.85, code: /ecb/i },
  ),
  weakness(
    {
      name: "sonarjs/no-weak-keys",
      title: "Key too short",
      cwe: 326,
      remedy: "Use at least 2048 bits for RSA, 224 for elliptic curves.",
    },
    "This key is too short.",
    "Keys of this length can be broken: at least 2048 bits for RSA, 224 for elliptic curves.",
    { sonarKey: "S4426", severity: "error", confidence: 0.85 },
  ),
  weakness(
    {
      name: "sonarjs/hashing",
      title: "Weak hash (MD5 or SHA-1)",
      cwe: 328,
      remedy: "Use SHA-256, or a password hash for passwords.",
    },
    "A broken hash function is used (MD5 or SHA-1).",
    "Two texts with the same hash can be made; for passwords, signatures and integrity use SHA-256 or a password hash.",
    { sonarKey: "S4790", severity: "info", confidence: 0.6 },
  ),
  weakness(
    {
      name: "sonarjs/insecure-jwt-token",
      title: "Unsigned JWT accepted",
      cwe: 347,
      remedy: "Sign with a key, and accept only that algorithm.",
    },
    "A token is signed or accepted without a real signature.",
    "Anybody can write such a token and be whoever they like.",
    { sonarKey: "S5659", severity: "error", confidence: 0.88 },
  ),
  weakness(
    {
      name: "sonarjs/slow-regex",
      title: "Catastrophic backtracking (ReDoS)",
      cwe: 1333,
      remedy: "Rewrite the repeated part so it can match in one way only.",
    },
    "This regular expression can take exponential time.",
    "A short text chosen for it stops the program for minutes.",
    { sonarKey: "S5852", confidence: 0.8 },
  ),
  weakness(
    {
      name: "sonarjs/dynamically-constructed-templates",
      title: "Server-side template injection (SSTI)",
      cwe: 1336,
      remedy: "Pass values as data of a fixed template.",
    },
    "A template is put together from variables before it is compiled.",
    "Whoever controls a part of it runs code on the server.",
    { sonarKey: "S7790", severity: "error", confidence: 0.75 },
  ),
  weakness(
    {
      name: "sonarjs/disabled-auto-escaping",
      title: "Template escaping disabled",
      cwe: 79,
      remedy: "Leave escaping on.",
    },
    "Escaping is switched off in this template engine.",
    "Text from people reaches the page as HTML and can run scripts there.",
    { sonarKey: "S5247", confidence: 0.75 },
  ),
  weakness(
    {
      name: "sonarjs/no-angular-bypass-sanitization",
      title: "Cross-site scripting (XSS): Angular sanitization bypassed",
      cwe: 79,
      remedy: "Let Angular sanitize the value.",
    },
    "Angular is told to trust this value.",
    "If any of it comes from people, they can run scripts in the pages of others.",
    { sonarKey: "S6268" },
  ),
  weakness(
    {
      name: "sonarjs/dompurify-unsafe-config",
      title: "Unsafe HTML sanitizer settings",
      cwe: 79,
      remedy: "Remove the option that lets scripts pass.",
    },
    "The cleaning of HTML is configured so that scripts pass.",
    "The result is no safer than the input.",
    { sonarKey: "S8479", confidence: 0.8 },
  ),
  weakness(
    {
      name: "sonarjs/xml-parser-xxe",
      title: "XML external entities (XXE)",
      cwe: 611,
      remedy: "Switch external entities off.",
    },
    "This XML parser resolves external entities.",
    "A document can make it read files of the server and send them away.",
    { sonarKey: "S2755", severity: "error", confidence: 0.85 },
  ),
  weakness(
    {
      name: "sonarjs/file-uploads",
      title: "Unrestricted file upload",
      cwe: 434,
      remedy: "Set a folder outside of the served ones, and check the type.",
    },
    "Uploads are stored without restricting their folder or type.",
    "People can place files where the server runs or serves them.",
    { sonarKey: "S2598", confidence: 0.65 },
  ),
  weakness(
    {
      name: "sonarjs/file-permissions",
      title: "World-accessible file permissions",
      cwe: 732,
      remedy: "Use 0o640 or less.",
    },
    "A file becomes accessible to everybody on the machine.",
    "Other users and programs can read or change it.",
    { sonarKey: "S2612", confidence: 0.7 },
  ),
  weakness(
    { name: "sonarjs/insecure-cookie", title: "Cookie without Secure", cwe: 614, remedy: "Set `secure`." },
    "This cookie is also sent over plain HTTP.",
    "Anybody on the way can take over the session.",
    { sonarKey: "S2092", confidence: 0.7 },
  ),
  weakness(
    { name: "sonarjs/cookie-no-httponly", title: "Cookie without HttpOnly", cwe: 1004, remedy: "Set `httpOnly`." },
    "Scripts of the page can read this cookie.",
    "One injected script is enough to take over sessions.",
    { sonarKey: "S3330", confidence: 0.7 },
  ),
  weakness(
    {
      name: "sonarjs/session-regeneration",
      title: "Session fixation",
      cwe: 384,
      remedy: "Regenerate the session at sign-in.",
    },
    "The session is kept when somebody signs in.",
    "Whoever placed its id in the victim's browser is signed in too.",
    { sonarKey: "S5876", confidence: 0.65 },
  ),
  weakness(
    { name: "sonarjs/csrf", title: "CSRF protection disabled", cwe: 352, remedy: "Leave the protection on." },
    "Protection against forged requests is switched off.",
    "Other sites can act in the name of a signed-in person.",
    { sonarKey: "S4502", confidence: 0.7 },
  ),
  weakness(
    {
      name: "sonarjs/cors",
      title: "CORS: any origin allowed",
      cwe: 942,
      remedy: "Name the origins that may read the responses.",
    },
    "Every site may read the answers of this server.",
    "If an answer depends on who is signed in or on the network, other sites learn it.",
    { sonarKey: "S5122", confidence: 0.55 },
  ),
  weakness(
    { name: "sonarjs/hidden-files", title: "Hidden files exposed", cwe: 538, remedy: 'Set `dotfiles: "ignore"`.' },
    "Hidden files are served.",
    "Among them may be `.env` and `.git`.",
    {
      sonarKey: "S5691",
      confidence: 0.8,
    },
  ),
];

/** Infrastructure written with the AWS CDK that is open to the world. */
const AWS_RULES: readonly EslintRule[] = [
  weakness(
    {
      name: "sonarjs/aws-s3-bucket-granted-access",
      title: "Public S3 bucket",
      cwe: 732,
      remedy: "Keep the bucket private.",
    },
    "Everybody can read this bucket.",
    "Whatever is put into it is public.",
    { sonarKey: "S6265", severity: "error", confidence: 0.72 },
  ),
  weakness(
    {
      name: "sonarjs/aws-iam-public-access",
      title: "Access for any AWS account",
      cwe: 284,
      remedy: "Name the accounts.",
    },
    "This policy applies to everybody.",
    "Accounts of strangers get what it grants.",
    { sonarKey: "S6270", severity: "error", confidence: 0.75 },
  ),
  weakness(
    { name: "sonarjs/aws-iam-all-privileges", title: "Overly broad IAM policy", cwe: 250, remedy: "Name the actions." },
    "This policy grants every action.",
    "Whoever gets hold of the role owns the account.",
    { sonarKey: "S6302", confidence: 0.8 },
  ),
  weakness(
    {
      name: "sonarjs/aws-restricted-ip-admin-access",
      title: "Port open to the internet",
      cwe: 284,
      remedy: "Restrict the addresses.",
    },
    "Administration ports are open to the whole Internet.",
    "They are tried by strangers within minutes.",
    { sonarKey: "S6321", severity: "error", confidence: 0.8 },
  ),
  weakness(
    {
      name: "sonarjs/aws-apigateway-public-api",
      title: "Missing authorization",
      cwe: 306,
      remedy: "Set an authorization type, unless the API is public.",
    },
    "This method can be called without signing in.",
    "That is right for a public API only.",
    { sonarKey: "S6333", severity: "info", confidence: 0.6 },
  ),
];

/** Every rule of the security layer that ESLint runs, by name. */
export const ESLINT_SECURITY_RULES: ReadonlyMap<string, EslintRule> = new Map(
  [...RULES, ...AWS_RULES].map((rule) => [rule.name, rule]),
);
