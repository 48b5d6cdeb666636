import { pythonWeakness, type RuffRule } from "./ruff-rule.ts";

const SHELL = "Whoever controls a part of the text can run any command.";

/**
 * Left out: what the search for secrets finds better (S105 to S107), and what fires on ordinary code (assert, random, subprocess as
 * such, imports of pickle or xml, temporary folders, urlopen, swallowed errors).
 */
const RULES: readonly RuffRule[] = [
  pythonWeakness(
    { id: "S102 exec used", title: "Code injection (exec)", cwe: 95, remedy: "Call a function instead." },
    "Text is run as code by exec().",
    "Whoever can influence the text runs code with the rights of this program.",
    { confidence: 0.65, runsText: "always" },
  ),
  pythonWeakness(
    {
      id: "S307 eval used",
      title: "Code injection (eval)",
      cwe: 95,
      remedy: "Use `ast.literal_eval` to read plain values.",
    },
    "Text is evaluated as code by eval().",
    "Whoever can influence the text runs code with the rights of this program.",
    { confidence: 0.75, runsText: "always" },
  ),
  // Ruff says "seems safe" where the command is a constant.
  pythonWeakness(
    {
      id: "S602 subprocess with shell",
      title: "Command injection",
      cwe: 78,
      remedy: "Pass a list of arguments and no shell.",
    },
    "A shell runs a command that is put together from variables.",
    SHELL,
    {
      runsText: "from outside",
      unlessOwn: "command",
      confidence: 0.75,
      unlessSaying: /seems safe/,
    },
  ),
  pythonWeakness(
    {
      id: "S604 call with shell",
      title: "Command injection",
      cwe: 78,
      remedy: "Pass a list of arguments and no shell.",
    },
    "A shell runs a command that is put together from variables.",
    SHELL,
    {
      runsText: "from outside",
      unlessOwn: "command",
      confidence: 0.6,
    },
  ),
  pythonWeakness(
    {
      id: "S605 process with shell",
      title: "Command injection",
      cwe: 78,
      remedy: "Pass a list of arguments and no shell.",
    },
    "A shell runs a command that is put together from variables.",
    SHELL,
    {
      runsText: "from outside",
      unlessOwn: "command",
      confidence: 0.75,
      unlessSaying: /seems safe/,
    },
  ),
  pythonWeakness(
    { id: "S608 sql from pieces", title: "SQL injection", cwe: 89, remedy: "Pass values as parameters." },
    "An SQL query is put together from pieces.",
    "If a piece comes from people, they decide what the database does.",
    { confidence: 0.65, unlessOwn: "text" },
  ),
  pythonWeakness(
    { id: "S611 raw sql", title: "SQL injection (Django RawSQL)", cwe: 89, remedy: "Pass values as parameters." },
    "A raw SQL expression is handed to Django.",
    "If a piece comes from people, they decide what the database does.",
    { confidence: 0.65 },
  ),
  pythonWeakness(
    { id: "S103 permissive mode", title: "World-accessible file permissions", cwe: 732, remedy: "Use 0o640 or less." },
    "A file becomes accessible to everybody on the machine.",
    "Other users and programs can change it.",
    { unlessSaying: /`0o[0-7]*[0145]`/ },
  ),
  pythonWeakness(
    {
      id: "S201 flask debug",
      title: "Debug mode enabled",
      cwe: 489,
      remedy: "Switch the debugger off outside of development.",
    },
    "Flask runs with its debugger on.",
    "Anybody who makes an error happen gets a console on the server.",
    { severity: "error", confidence: 0.85 },
  ),
  pythonWeakness(
    {
      id: "S202 tar extracted as it is",
      title: "Path traversal when unpacking an archive",
      cwe: 22,
      remedy: 'Pass `filter="data"`.',
    },
    "An archive is unpacked without looking at its paths.",
    "It can write outside the folder.",
    { confidence: 0.75, unlessCode: /\bfilter\s*=/ },
  ),
  pythonWeakness(
    {
      id: "S301 pickle loaded",
      title: "Unsafe deserialization (pickle)",
      cwe: 502,
      remedy: "Use a format that holds data only, such as JSON.",
    },
    "Pickled data is loaded.",
    "Whoever can change the data runs code.",
    { confidence: 0.55 },
  ),
  pythonWeakness(
    { id: "S306 mktemp", title: "Insecure temporary file", cwe: 377, remedy: "Use `mkstemp`." },
    "A temporary name is made without its file.",
    "Somebody else can put a file or link there first.",
    { confidence: 0.8 },
  ),
  pythonWeakness(
    { id: "S308 mark safe", title: "Cross-site scripting (XSS): mark_safe", cwe: 79, remedy: "Use `format_html`." },
    "Text is declared to be safe HTML.",
    "If any of it comes from people, they can run scripts in the pages of others.",
    { confidence: 0.6 },
  ),
  pythonWeakness(
    {
      id: "S704 markup from text",
      title: "Cross-site scripting (XSS): Markup",
      cwe: 79,
      remedy: "Escape the text first.",
    },
    "Text is declared to be safe HTML.",
    "If any of it comes from people, they can run scripts in the pages of others.",
    { confidence: 0.65 },
  ),
  pythonWeakness(
    {
      id: "S323 unverified context",
      title: "Certificate verification disabled",
      cwe: 295,
      remedy: "Use `ssl.create_default_context()`.",
    },
    "Certificates are not checked.",
    "Anybody on the way can read and change this connection.",
    { severity: "error", confidence: 0.85 },
  ),
  pythonWeakness(
    {
      id: "S501 request without verification",
      title: "Certificate verification disabled",
      cwe: 295,
      remedy: "Remove `verify=False`.",
    },
    "Certificates are not checked.",
    "Anybody on the way can read and change this connection.",
    { severity: "error", confidence: 0.88 },
  ),
  pythonWeakness(
    { id: "S502 insecure tls version", title: "Outdated TLS version", cwe: 327, remedy: "Require TLS 1.2 or later." },
    "A broken protocol version is allowed.",
    "Its known faults let others read the connection.",
    { severity: "error", confidence: 0.85 },
  ),
  pythonWeakness(
    {
      id: "S503 insecure tls default",
      title: "Outdated TLS version by default",
      cwe: 327,
      remedy: "Require TLS 1.2 or later.",
    },
    "A broken protocol version is the default here.",
    "Its known faults let others read the connection.",
    { severity: "error", confidence: 0.8 },
  ),
  pythonWeakness(
    { id: "S505 short key", title: "Key too short", cwe: 326, remedy: "Use at least 2048 bits for RSA." },
    "This key is too short.",
    "Keys of this length can be broken: at least 2048 bits for RSA.",
    { severity: "error", confidence: 0.85 },
  ),
  pythonWeakness(
    { id: "S506 yaml load", title: "Unsafe YAML load", cwe: 502, remedy: "Use `yaml.safe_load`." },
    "YAML is loaded with a loader that makes any object.",
    "A document can run code.",
    { severity: "error", confidence: 0.85 },
  ),
  pythonWeakness(
    {
      id: "S507 unknown host accepted",
      title: "SSH host key verification disabled",
      cwe: 295,
      remedy: "Load the known host keys.",
    },
    "Host keys are not checked.",
    "Anybody on the way can take the place of the server.",
    { confidence: 0.8 },
  ),
  pythonWeakness(
    {
      id: "S324 weak hash",
      title: "Weak hash (MD5 or SHA-1)",
      cwe: 328,
      remedy: "Use SHA-256, or pass `usedforsecurity=False` where security does not matter.",
    },
    "A broken hash function is used (MD5 or SHA-1).",
    "Two texts with the same hash can be made.",
    { severity: "info", confidence: 0.6 },
  ),
  pythonWeakness(
    {
      id: "S609 wildcard in command",
      title: "Wildcard injection",
      cwe: 155,
      remedy: "Put `--` or `./` before the wildcard.",
    },
    "A wildcard stands in a command that a shell runs.",
    "A file name that looks like an option becomes one.",
    { confidence: 0.65 },
  ),
  pythonWeakness(
    {
      id: "S612 logging configured by network",
      title: "Logging configuration from the network",
      cwe: 94,
      remedy: "Verify the configuration before it is used.",
    },
    "The configuration of logging is taken from a socket.",
    "Whoever can connect runs code.",
    { confidence: 0.8 },
  ),
  pythonWeakness(
    {
      id: "S701 jinja without escaping",
      title: "Template escaping disabled (Jinja)",
      cwe: 79,
      remedy: "Set `autoescape=True`.",
    },
    "Jinja does not escape what it fills in.",
    "Text from people reaches the page as HTML and can run scripts there.",
    { confidence: 0.75 },
  ),
  pythonWeakness(
    {
      id: "S702 mako template",
      title: "Template escaping disabled (Mako)",
      cwe: 79,
      remedy: "Set a default filter that escapes HTML.",
    },
    "Mako does not escape what it fills in.",
    "Text from people reaches the page as HTML and can run scripts there.",
    { confidence: 0.6 },
  ),
  pythonWeakness(
    {
      id: "PLE2502 bidirectional characters",
      title: "Bidirectional control characters (Trojan Source)",
      cwe: 1007,
      remedy: "Remove the characters.",
    },
    "Invisible characters change the order in which this line is shown.",
    "What people read is not what runs.",
    { severity: "error", confidence: 0.92 },
  ),
];

/** Every rule of ruff in the security layer, by code. */
export const RUFF_SECURITY_RULES: ReadonlyMap<string, RuffRule> = new Map(RULES.map((rule) => [rule.code, rule]));
