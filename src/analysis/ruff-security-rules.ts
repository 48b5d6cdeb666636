import { pythonWeakness, type RuffRule } from "./ruff-rule.ts";

const SHELL = "Whoever controls a part of the text can run any command: pass a list of arguments and no shell.";

/**
 * Left out: what the search for secrets finds better (S105 to S107), and what fires on ordinary code (assert, random, subprocess as
 * such, imports of pickle or xml, temporary folders, urlopen, swallowed errors).
 */
const RULES: readonly RuffRule[] = [
  pythonWeakness(
    "S102 exec used",
    "Text is run as code by exec().",
    "Whoever can influence the text runs code with the rights of this program.",
    { confidence: 0.65, runsText: "always" },
  ),
  pythonWeakness(
    "S307 eval used",
    "Text is evaluated as code by eval().",
    "Whoever can influence the text runs code with the rights of this program: ast.literal_eval reads plain values.",
    { confidence: 0.75, runsText: "always" },
  ),
  // Ruff says "seems safe" where the command is a constant.
  pythonWeakness("S602 subprocess with shell", "A shell runs a command that is put together from variables.", SHELL, {
    runsText: "from outside",
    confidence: 0.75,
    unlessSaying: /seems safe/,
  }),
  pythonWeakness("S604 call with shell", "A shell runs a command that is put together from variables.", SHELL, {
    runsText: "from outside",
    confidence: 0.6,
  }),
  pythonWeakness("S605 process with shell", "A shell runs a command that is put together from variables.", SHELL, {
    runsText: "from outside",
    confidence: 0.75,
    unlessSaying: /seems safe/,
  }),
  pythonWeakness(
    "S608 sql from pieces",
    "An SQL query is put together from pieces.",
    "If a piece comes from people, they decide what the database does: pass values as parameters.",
    { confidence: 0.65 },
  ),
  pythonWeakness(
    "S611 raw sql",
    "A raw SQL expression is handed to Django.",
    "If a piece comes from people, they decide what the database does: pass values as parameters.",
    { confidence: 0.65 },
  ),
  pythonWeakness(
    "S103 permissive mode",
    "A file becomes accessible to everybody on the machine.",
    "Other users and programs can change it.",
    { unlessSaying: /`0o[0-7]*[0145]`/ },
  ),
  pythonWeakness(
    "S201 flask debug",
    "Flask runs with its debugger on.",
    "Anybody who makes an error happen gets a console on the server.",
    { severity: "error", confidence: 0.85 },
  ),
  pythonWeakness(
    "S202 tar extracted as it is",
    "An archive is unpacked without looking at its paths.",
    'It can write outside the folder: pass filter="data".',
    { confidence: 0.75, unlessCode: /\bfilter\s*=/ },
  ),
  pythonWeakness(
    "S301 pickle loaded",
    "Pickled data is loaded.",
    "Whoever can change the data runs code: use a format that holds data only, unless it comes from this program.",
    { confidence: 0.55 },
  ),
  pythonWeakness(
    "S306 mktemp",
    "A temporary name is made without its file.",
    "Somebody else can put a file or link there first: use mkstemp.",
    { confidence: 0.8 },
  ),
  pythonWeakness(
    "S308 mark safe",
    "Text is declared to be safe HTML.",
    "If any of it comes from people, they can run scripts in the pages of others.",
    { confidence: 0.6 },
  ),
  pythonWeakness(
    "S704 markup from text",
    "Text is declared to be safe HTML.",
    "If any of it comes from people, they can run scripts in the pages of others.",
    { confidence: 0.65 },
  ),
  pythonWeakness(
    "S323 unverified context",
    "Certificates are not checked.",
    "Anybody on the way can read and change this connection.",
    { severity: "error", confidence: 0.85 },
  ),
  pythonWeakness(
    "S501 request without verification",
    "Certificates are not checked.",
    "Anybody on the way can read and change this connection.",
    { severity: "error", confidence: 0.88 },
  ),
  pythonWeakness(
    "S502 insecure tls version",
    "A broken protocol version is allowed.",
    "Its known faults let others read the connection.",
    { severity: "error", confidence: 0.85 },
  ),
  pythonWeakness(
    "S503 insecure tls default",
    "A broken protocol version is the default here.",
    "Its known faults let others read the connection.",
    { severity: "error", confidence: 0.8 },
  ),
  pythonWeakness(
    "S505 short key",
    "This key is too short.",
    "Keys of this length can be broken: at least 2048 bits for RSA.",
    { severity: "error", confidence: 0.85 },
  ),
  pythonWeakness(
    "S506 yaml load",
    "YAML is loaded with a loader that makes any object.",
    "A document can run code: use yaml.safe_load.",
    { severity: "error", confidence: 0.85 },
  ),
  pythonWeakness(
    "S507 unknown host accepted",
    "Host keys are not checked.",
    "Anybody on the way can take the place of the server.",
    { confidence: 0.8 },
  ),
  pythonWeakness(
    "S324 weak hash",
    "A broken hash function is used (MD5 or SHA-1).",
    "Two texts with the same hash can be made; say usedforsecurity=False where that does not matter.",
    { severity: "info", confidence: 0.6 },
  ),
  pythonWeakness(
    "S609 wildcard in command",
    "A wildcard stands in a command that a shell runs.",
    "A file name that looks like an option becomes one.",
    { confidence: 0.65 },
  ),
  pythonWeakness(
    "S612 logging configured by network",
    "The configuration of logging is taken from a socket.",
    "Whoever can connect runs code.",
    { confidence: 0.8 },
  ),
  pythonWeakness(
    "S701 jinja without escaping",
    "Jinja does not escape what it fills in.",
    "Text from people reaches the page as HTML and can run scripts there: set autoescape.",
    { confidence: 0.75 },
  ),
  pythonWeakness(
    "S702 mako template",
    "Mako does not escape what it fills in.",
    "Text from people reaches the page as HTML and can run scripts there.",
    { confidence: 0.6 },
  ),
  pythonWeakness(
    "PLE2502 bidirectional characters",
    "Invisible characters change the order in which this line is shown.",
    "What people read is not what runs.",
    { severity: "error", confidence: 0.92 },
  ),
];

/** Every rule of ruff in the security layer, by code. */
export const RUFF_SECURITY_RULES: ReadonlyMap<string, RuffRule> = new Map(RULES.map((rule) => [rule.code, rule]));
