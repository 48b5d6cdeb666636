import { type EslintRule, weakness } from "./eslint-rule.ts";

/**
 * Insecure patterns that need no types. Left out: what the search for secrets finds better (hard-coded credentials), what fires on
 * ordinary code (Math.random, `http://`, programs found by PATH, `/tmp`), and what wants every header set by hand.
 */
const RULES: readonly EslintRule[] = [
  weakness(
    "no-implied-eval",
    "Text is run as code by a timer.",
    "Whoever can influence the text runs code with the rights of this program: hand over a function.",
    { severity: "error", confidence: 0.85, runsText: "always" },
  ),
  weakness(
    "no-new-func",
    "A function is made from text.",
    "Whoever can influence the text runs code with the rights of this program.",
    { confidence: 0.65, runsText: "always" },
  ),
  weakness(
    "no-unsanitized/property",
    "HTML that is not constant is put into the page.",
    "If any of it comes from people, they can run scripts in the pages of others: use textContent, or clean it first.",
    { confidence: 0.72 },
  ),
  // The rule takes `import(variable)` for a danger of the same kind, which in Node it hardly ever is.
  weakness(
    "no-unsanitized/method",
    "HTML that is not constant is written into the page.",
    "If any of it comes from people, they can run scripts in the pages of others: build nodes, or clean it first.",
    { confidence: 0.72, unlessSaying: /call to import\b/ },
  ),
  weakness(
    "sonarjs/sql-queries",
    "An SQL query is put together from pieces.",
    "If a piece comes from people, they decide what the database does: pass values as parameters.",
    { sonarKey: "S2077", severity: "error", confidence: 0.75 },
  ),
  weakness(
    "sonarjs/os-command",
    "A shell runs a command that is put together from variables.",
    "Whoever controls a part of it can run any command: use execFile or spawn with a list of arguments and no shell.",
    { sonarKey: "S4721", confidence: 0.7, runsText: "from outside" },
  ),
  weakness(
    "sonarjs/unverified-certificate",
    "The certificate of the other side is not checked.",
    "Anybody on the way can read and change this connection.",
    { sonarKey: "S4830", severity: "error", confidence: 0.85 },
  ),
  weakness(
    "sonarjs/unverified-hostname",
    "The certificate's host name is not checked.",
    "Any valid certificate is accepted, so anybody on the way can read and change this connection.",
    { sonarKey: "S5527", severity: "error", confidence: 0.85 },
  ),
  weakness(
    "sonarjs/weak-ssl",
    "A protocol version below TLS 1.2 is allowed.",
    "Its known faults let others read the connection.",
    { sonarKey: "S4423", severity: "error", confidence: 0.85 },
  ),
  weakness(
    "sonarjs/no-weak-cipher",
    "A broken cipher is used.",
    "What it encrypts can be read without the key: use AES-256-GCM or ChaCha20-Poly1305.",
    { sonarKey: "S5547", severity: "error", confidence: 0.85 },
  ),
  // CBC is reported by the rule as well; with a check of integrity beside it, it is sound.
  weakness(
    "sonarjs/encryption-secure-mode",
    "Data is encrypted block by block (ECB).",
    "Equal blocks give equal ciphertext, so its structure stays visible: use an authenticated mode such as GCM.",
    { sonarKey: "S5542", severity: "error", confidence: 0.85, code: /ecb/i },
  ),
  weakness(
    "sonarjs/no-weak-keys",
    "This key is too short.",
    "Keys of this length can be broken: at least 2048 bits for RSA, 224 for elliptic curves.",
    { sonarKey: "S4426", severity: "error", confidence: 0.85 },
  ),
  weakness(
    "sonarjs/hashing",
    "A broken hash function is used (MD5 or SHA-1).",
    "Two texts with the same hash can be made; for passwords, signatures and integrity use SHA-256 or a password hash.",
    { sonarKey: "S4790", severity: "info", confidence: 0.6 },
  ),
  weakness(
    "sonarjs/insecure-jwt-token",
    "A token is signed or accepted without a real signature.",
    "Anybody can write such a token and be whoever they like.",
    { sonarKey: "S5659", severity: "error", confidence: 0.88 },
  ),
  weakness(
    "sonarjs/slow-regex",
    "This regular expression can take exponential time.",
    "A short text chosen for it stops the program for minutes.",
    { sonarKey: "S5852", confidence: 0.8 },
  ),
  weakness(
    "sonarjs/dynamically-constructed-templates",
    "A template is put together from variables before it is compiled.",
    "Whoever controls a part of it runs code on the server: pass values as data of a fixed template.",
    { sonarKey: "S7790", severity: "error", confidence: 0.75 },
  ),
  weakness(
    "sonarjs/disabled-auto-escaping",
    "Escaping is switched off in this template engine.",
    "Text from people reaches the page as HTML and can run scripts there.",
    { sonarKey: "S5247", confidence: 0.75 },
  ),
  weakness(
    "sonarjs/no-angular-bypass-sanitization",
    "Angular is told to trust this value.",
    "If any of it comes from people, they can run scripts in the pages of others.",
    { sonarKey: "S6268" },
  ),
  weakness(
    "sonarjs/dompurify-unsafe-config",
    "The cleaning of HTML is configured so that scripts pass.",
    "The result is no safer than the input.",
    { sonarKey: "S8479", confidence: 0.8 },
  ),
  weakness(
    "sonarjs/xml-parser-xxe",
    "This XML parser resolves external entities.",
    "A document can make it read files of the server and send them away.",
    { sonarKey: "S2755", severity: "error", confidence: 0.85 },
  ),
  weakness(
    "sonarjs/file-uploads",
    "Uploads are stored without restricting their folder or type.",
    "People can place files where the server runs or serves them.",
    { sonarKey: "S2598", confidence: 0.65 },
  ),
  weakness(
    "sonarjs/file-permissions",
    "A file becomes accessible to everybody on the machine.",
    "Other users and programs can read or change it.",
    { sonarKey: "S2612", confidence: 0.7 },
  ),
  weakness(
    "sonarjs/insecure-cookie",
    "This cookie is also sent over plain HTTP.",
    "Anybody on the way can take over the session: set `secure`.",
    { sonarKey: "S2092", confidence: 0.7 },
  ),
  weakness(
    "sonarjs/cookie-no-httponly",
    "Scripts of the page can read this cookie.",
    "One injected script is enough to take over sessions: set `httpOnly`.",
    { sonarKey: "S3330", confidence: 0.7 },
  ),
  weakness(
    "sonarjs/session-regeneration",
    "The session is kept when somebody signs in.",
    "Whoever placed its id in the victim's browser is signed in too: regenerate it.",
    { sonarKey: "S5876", confidence: 0.65 },
  ),
  weakness(
    "sonarjs/csrf",
    "Protection against forged requests is switched off.",
    "Other sites can act in the name of a signed-in person.",
    { sonarKey: "S4502", confidence: 0.7 },
  ),
  weakness(
    "sonarjs/cors",
    "Every site may read the answers of this server.",
    "If an answer depends on who is signed in or on the network, other sites learn it.",
    { sonarKey: "S5122", confidence: 0.55 },
  ),
  weakness("sonarjs/hidden-files", "Hidden files are served.", "Among them may be `.env` and `.git`.", {
    sonarKey: "S5691",
    confidence: 0.8,
  }),
];

/** Infrastructure written with the AWS CDK that is open to the world. */
const AWS_RULES: readonly EslintRule[] = [
  weakness(
    "sonarjs/aws-s3-bucket-granted-access",
    "Everybody can read this bucket.",
    "Whatever is put into it is public.",
    { sonarKey: "S6265", severity: "error", confidence: 0.72 },
  ),
  weakness(
    "sonarjs/aws-iam-public-access",
    "This policy applies to everybody.",
    "Accounts of strangers get what it grants.",
    { sonarKey: "S6270", severity: "error", confidence: 0.75 },
  ),
  weakness(
    "sonarjs/aws-iam-all-privileges",
    "This policy grants every action.",
    "Whoever gets hold of the role owns the account: name the actions.",
    { sonarKey: "S6302", confidence: 0.8 },
  ),
  weakness(
    "sonarjs/aws-restricted-ip-admin-access",
    "Administration ports are open to the whole Internet.",
    "They are tried by strangers within minutes: restrict the addresses.",
    { sonarKey: "S6321", severity: "error", confidence: 0.8 },
  ),
  weakness(
    "sonarjs/aws-apigateway-public-api",
    "This method can be called without signing in.",
    "That is right for a public API only.",
    { sonarKey: "S6333", severity: "info", confidence: 0.6 },
  ),
];

/** Every rule of the security layer that ESLint runs, by name. */
export const ESLINT_SECURITY_RULES: ReadonlyMap<string, EslintRule> = new Map(
  [...RULES, ...AWS_RULES].map((rule) => [rule.name, rule]),
);
