import { type EslintRule, fault, question } from "./eslint-rule.ts";

/**
 * What ESLint and sonarjs see and Biome does not report here. Each was quiet on half a million lines of published packages; tried and
 * left out as noise: no-promise-executor-return, no-unmodified-loop-condition, no-useless-assignment, require-atomic-updates,
 * preserve-caught-error, identical operands, regular expressions with loose alternatives, reduce without an initial value.
 */
const RULES: readonly EslintRule[] = [
  fault(
    {
      name: "no-invalid-regexp",
      title: "Invalid regular expression",
      remedy: "Correct the pattern, or escape its special characters.",
    },
    "This regular expression is not valid.",
    "Creating it throws a SyntaxError when this line runs.",
    { confidence: 0.95 },
  ),
  fault(
    {
      name: "no-unexpected-multiline",
      title: "Missing semicolon between two lines",
      remedy: "Add a semicolon at the end of the line above.",
    },
    "This line is read as a continuation of the one above.",
    "A semicolon is missing there, so the two lines become one call or one access.",
  ),
  // `for (const first of list) return first` is an idiom; the other loops have no such use.
  question(
    {
      name: "no-unreachable-loop",
      title: "Loop runs at most once",
      cwe: 561,
      remedy: "Add the missing condition or `continue`.",
    },
    "This loop runs at most once.",
    "Every way through its body leaves it.",
    { options: [{ ignore: ["ForInStatement", "ForOfStatement"] }], confidence: 0.85 },
  ),
  question(
    {
      name: "no-unused-private-class-members",
      title: "Unused private member",
      cwe: 1164,
      remedy: "Remove it, or add the missing use.",
    },
    "This private member is never read.",
    "Nothing outside the class can reach it either.",
    { severity: "info", confidence: 0.85 },
  ),
  fault(
    { name: "sonarjs/no-unthrown-error", title: "Error created but not thrown", cwe: 390, remedy: "Add `throw`." },
    "An error is created and not thrown.",
    "Nothing happens here.",
    { sonarKey: "S3984", confidence: 0.92 },
  ),
  fault(
    { name: "sonarjs/no-literal-call", title: "Call of a literal", remedy: "Add the missing comma or semicolon." },
    "A literal is called like a function.",
    "This throws a TypeError when it runs.",
    { sonarKey: "S6958", confidence: 0.95 },
  ),
  fault(
    {
      name: "sonarjs/comma-or-logical-or-case",
      title: "Several values in one case",
      remedy: "Write one case for each value.",
    },
    "This case has several values joined by a comma or `||`.",
    "Only one of them is compared.",
    { sonarKey: "S3616", confidence: 0.92 },
  ),
  fault(
    { name: "sonarjs/no-useless-increment", title: "Useless increment", remedy: "Write `i++` alone." },
    "This increment is lost.",
    "The old value is assigned back right after it: `i = i++` leaves `i` as it was.",
    { sonarKey: "S2123", confidence: 0.92 },
  ),
  fault(
    {
      name: "sonarjs/no-hook-setter-in-body",
      title: "State set during render",
      cwe: 835,
      remedy: "Set the state in an event handler or an effect.",
    },
    "State is set while the component renders.",
    "Each render starts the next one, until React stops with an error.",
    { sonarKey: "S6442", confidence: 0.8 },
  ),
  fault(
    {
      name: "sonarjs/no-same-argument-assert",
      title: "Assertion compares a value with itself",
      remedy: "Compare with the expected value.",
    },
    "A value is compared with itself in this assertion.",
    "The test passes whatever the code does.",
    { sonarKey: "S5863", inTests: true, severity: "warning" },
  ),
  fault(
    {
      name: "sonarjs/async-test-assertions",
      title: "Async assertion not awaited",
      remedy: "Add `await`, or return the promise.",
    },
    "This assertion is asynchronous and nobody waits for it.",
    "The test ends before it: it passes even when the assertion fails.",
    { sonarKey: "S8780", inTests: true, confidence: 0.85 },
  ),
  question(
    {
      name: "sonarjs/no-empty-parameterized-test-dataset",
      title: "Parameterized test without cases",
      remedy: "Add the cases.",
    },
    "This parameterised test has no cases.",
    "Its body never runs, and the check stays green.",
    { sonarKey: "S8998", inTests: true, confidence: 0.9 },
  ),
  question(
    {
      name: "sonarjs/no-collection-size-mischeck",
      title: "Impossible length comparison",
      cwe: 570,
      remedy: "Write `> 0`.",
    },
    "This compares a length with a number that it cannot be below.",
    "The comparison always has the same result: `> 0` was probably meant.",
    { sonarKey: "S3981", confidence: 0.88 },
  ),
  question(
    {
      name: "sonarjs/no-all-duplicated-branches",
      title: "Identical branches",
      remedy: "Correct the branch that should differ, or remove the condition.",
    },
    "All branches of this condition do the same.",
    "The condition decides nothing: one branch was probably meant to differ.",
    { sonarKey: "S3923", confidence: 0.85 },
  ),
  question(
    { name: "sonarjs/no-element-overwrite", title: "Element overwritten", remedy: "Correct one of the two keys." },
    "This element is set twice in a row.",
    "The first value is lost: one of the two keys is probably wrong.",
    { sonarKey: "S4143", confidence: 0.8 },
  ),
  question(
    {
      name: "sonarjs/no-empty-collection",
      title: "Empty collection read",
      remedy: "Fill the collection before this line.",
    },
    "This collection is read and can only be empty here.",
    "Nothing is ever put into it, so this does nothing.",
    { sonarKey: "S4158" },
  ),
  question(
    {
      name: "sonarjs/non-existent-operator",
      title: "Mistyped operator (=+, =-, =!)",
      cwe: 480,
      remedy: "Write `+=`, `-=` or `!=`.",
    },
    "There is no such operator: this assigns a signed or negated value.",
    "`=+`, `=-` and `=!` look like `+=`, `-=` and `!=`, which were probably meant.",
    { sonarKey: "S2757", confidence: 0.85 },
  ),
  question(
    {
      name: "sonarjs/no-use-of-empty-return-value",
      title: "Result of a function without a return value",
      remedy: "Return a value from the function, or do not use the result.",
    },
    "The result of a function is used that returns none.",
    "It is always undefined.",
    { sonarKey: "S3699", confidence: 0.8 },
  ),
  question(
    {
      name: "sonarjs/no-extra-arguments",
      title: "Too many arguments",
      cwe: 628,
      remedy: "Remove the extra arguments, or add the parameter.",
    },
    "This call has more arguments than the function takes.",
    "The surplus is ignored: the parameter is missing, or the call means another function.",
    { sonarKey: "S930", confidence: 0.72 },
  ),
  question(
    {
      name: "sonarjs/stateful-regex",
      title: "Stateful regular expression",
      remedy: "Remove the flag, or create the expression for each text.",
    },
    "A regular expression with the flag g or y is asked about different texts.",
    "It remembers where the last match ended, so the next text is searched from there and matches are missed.",
    { sonarKey: "S6351", confidence: 0.8 },
  ),
  question(
    { name: "sonarjs/no-useless-react-setstate", title: "State set to its own value", remedy: "Set the new value." },
    "State is set to the value that it has.",
    "React does nothing then: a new value was probably meant.",
    { sonarKey: "S6443", confidence: 0.85 },
  ),
];

/** Every rule of the static layer that ESLint runs, by name. */
export const ESLINT_RULES: ReadonlyMap<string, EslintRule> = new Map(RULES.map((rule) => [rule.name, rule]));

/**
 * What must stand in a file for a rule to find anything: without it the rule is not run, and a file without any is not even parsed.
 * Rules that are not listed run on every file. Wide on purpose: each is there to spare time, none to leave something out.
 */
export const ESLINT_HINTS: Readonly<Record<string, RegExp>> = {
  "no-invalid-regexp": /\bRegExp\b/,
  "no-unused-private-class-members": /#[\w$]/,
  "no-unreachable-loop": /\b(?:while|do|for)\b/,
  "sonarjs/no-unthrown-error": /\bnew\s+[\w.$]*(?:Error|Exception)\b/,
  "sonarjs/comma-or-logical-or-case": /\bcase\b/,
  "sonarjs/no-useless-increment": /\+\+|--/,
  "sonarjs/no-hook-setter-in-body": /\buseState\b/,
  "sonarjs/no-useless-react-setstate": /\buseState\b/,
  "sonarjs/no-same-argument-assert": /\b(?:assert|expect|chai|should)\b/,
  "sonarjs/async-test-assertions": /\bexpect\b/,
  "sonarjs/no-empty-parameterized-test-dataset": /\.each\b/,
  "sonarjs/no-collection-size-mischeck": /\.(?:length|size)\b/,
  "sonarjs/non-existent-operator": /=[-+!]/,
  "sonarjs/stateful-regex": /\.(?:test|exec)\b/,
  "no-implied-eval": /\b(?:setTimeout|setInterval|execScript)\b/,
  "no-new-func": /\bFunction\b/,
  "no-unsanitized/property": /\b(?:inner|outer)HTML\b/,
  "no-unsanitized/method":
    /\b(?:insertAdjacentHTML|writeln|write|createContextualFragment|setHTMLUnsafe|parseHTMLUnsafe)\b/,
  "sonarjs/sql-queries": /\b(?:pg|mysql2?|sqlite3?|better-sqlite3|sequelize|knex|mssql|typeorm|prisma)\b/i,
  "sonarjs/os-command": /\bchild_process\b/,
  "sonarjs/unverified-certificate": /\brejectUnauthorized\b/,
  "sonarjs/unverified-hostname": /\bcheckServerIdentity\b/,
  "sonarjs/weak-ssl": /\b(?:secureProtocol|minVersion|maxVersion|secureOptions)\b/,
  "sonarjs/no-weak-cipher": /\bcrypto\b/,
  "sonarjs/encryption-secure-mode": /\bcrypto\b/,
  "sonarjs/no-weak-keys": /\bgenerateKeyPair/,
  "sonarjs/hashing": /\b(?:crypto|subtle)\b/,
  "sonarjs/insecure-jwt-token": /\bjsonwebtoken\b/,
  // On one line, two quantifiers after the first slash that can begin a regular expression.
  "sonarjs/slow-regex": /\bRegExp\b|(?<![^\n])[^\n/]*(?:\/(?=[*/])[^\n/]*)*\/(?![*/])[^\n+*}]*[+*}][^\n+*}]*[+*}]/,
  "sonarjs/dynamically-constructed-templates":
    /\b(?:ejs|pug|handlebars|mustache|nunjucks|lodash|underscore|dot|eta|squirrelly|hogan|swig|template)\b/i,
  "sonarjs/disabled-auto-escaping": /escape|markdown|marked|html|sanitize|handlebars|mustache|kramed|remarkable/i,
  "sonarjs/no-angular-bypass-sanitization": /\bbypassSecurityTrust/,
  "sonarjs/dompurify-unsafe-config": /dompurify/i,
  "sonarjs/xml-parser-xxe": /\blibxml/,
  "sonarjs/file-uploads": /\b(?:multer|formidable)\b/,
  "sonarjs/file-permissions": /chmod|umask|\bmode\b/,
  "sonarjs/insecure-cookie": /cookie|session|csrf|csurf/i,
  "sonarjs/cookie-no-httponly": /cookie|session|csrf|csurf/i,
  "sonarjs/session-regeneration": /\bpassport\b/,
  "sonarjs/csrf": /\bcsurf\b/,
  "sonarjs/cors": /\bcors\b|Access-Control-Allow-Origin/i,
  "sonarjs/hidden-files": /\bserve-static\b|\bdotfiles\b/,
  "sonarjs/aws-s3-bucket-granted-access": /\baws-cdk-lib\b/,
  "sonarjs/aws-iam-public-access": /\baws-cdk-lib\b/,
  "sonarjs/aws-iam-all-privileges": /\baws-cdk-lib\b/,
  "sonarjs/aws-restricted-ip-admin-access": /\baws-cdk-lib\b/,
  "sonarjs/aws-apigateway-public-api": /\baws-cdk-lib\b/,
};
