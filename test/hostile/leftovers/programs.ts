/** What a sandboxed program does before it ends, as JavaScript; `fs`, `path` and `run` are there. */
export interface Mess {
  readonly name: string;
  readonly does: string;
  readonly code: string;
}

const DEEP = (name: string, depth: number) =>
  `const name = "${name}"; for (let at = 0; at < ${depth}; at += 1) { fs.mkdirSync(name); process.chdir(name); }`;

/** Names and numbers are those that broke something somewhere, or just miss a limit. */
export const MESSES: readonly Mess[] = [
  { name: "nothing", does: "leaves nothing", code: "" },
  { name: "deep", does: "leaves 3,000 folders of long names within each other", code: DEEP("d".repeat(200), 3_000) },
  { name: "deeper", does: "leaves 9,000 folders within each other", code: DEEP("e", 9_000) },
  {
    name: "shut",
    does: "leaves folders that nobody may enter, with files in them",
    code: 'fs.mkdirSync("shut/in", { recursive: true }); fs.writeFileSync("shut/in/x", "x"); fs.chmodSync("shut/in", 0); fs.chmodSync("shut", 0);',
  },
  {
    name: "deep and shut",
    does: "leaves 300 folders within each other that nobody may enter",
    code: 'const made = []; for (let at = 0; at < 300; at += 1) { fs.mkdirSync("s"); process.chdir("s"); made.push(1); } for (const _ of made) { process.chdir(".."); fs.chmodSync("s", 0); }',
  },
  { name: "shut root", does: "shuts its own folder", code: 'fs.mkdirSync("in"); fs.chmodSync(".", 0);' },
  {
    name: "many",
    does: "leaves 40,000 files in one folder",
    code: 'fs.mkdirSync("many"); for (let at = 0; at < 40_000; at += 1) fs.closeSync(fs.openSync("many/" + at, "w"));',
  },
  {
    name: "odd names",
    does: "leaves names of control characters, options, globs, quotes and bytes that are no text",
    code: 'for (const name of ["-rf", "--no-preserve-root", "a\\nb", "\\x1b[2J", "*", "$(id)", "\'", "\\"", "..\\\\..", " ", "\\u202e", "CON"]) fs.writeFileSync("./" + name, "x"); fs.writeFileSync(Buffer.from([0xff, 0xfe, 0x80]), "x"); fs.mkdirSync(Buffer.from([0xc3, 0x28]));',
  },
  {
    name: "long names",
    does: "leaves names of 255 bytes",
    code: 'fs.mkdirSync("n".repeat(255)); fs.writeFileSync("é".repeat(127), "x");',
  },
  {
    name: "special bits",
    does: "leaves programs that would run as their owner",
    code: 'fs.copyFileSync("/usr/bin/env", "root"); fs.chmodSync("root", 0o6777); fs.mkdirSync("sticky"); fs.chmodSync("sticky", 0o7777);',
  },
  {
    name: "pipes",
    does: "leaves pipes where files were",
    code: 'run("mkfifo", ["pipe"]); fs.rmSync("src/a.ts"); run("mkfifo", ["src/a.ts"]);',
  },
  {
    name: "sockets",
    does: "leaves sockets",
    code: 'const server = require("node:net").createServer().listen("socket"); server.unref();',
  },
  {
    name: "links",
    does: "leaves links out, upwards, in circles and to nowhere",
    code: 'const { cwd } = process; for (const [name, to] of [["etc", "/etc"], ["root", "/"], ["up", "../../../.."], ["self", "self"], ["a", "b"], ["b", "a"], ["none", "/nowhere"], ["proc", "/proc/self/root"]]) fs.symlinkSync(to, name);',
  },
  {
    name: "links in place of folders",
    does: "puts links in the place of its own folders",
    code: 'fs.rmSync("src", { recursive: true }); fs.symlinkSync("/tmp", "src"); fs.rmSync(".git", { recursive: true, force: true }); fs.symlinkSync("/", ".git");',
  },
  {
    name: "hard links",
    does: "leaves one file under 5,000 names",
    code: 'fs.writeFileSync("one", "x"); for (let at = 0; at < 5_000; at += 1) fs.linkSync("one", "link-" + at);',
  },
  {
    name: "sparse",
    does: "leaves a file that says it is a terabyte",
    code: 'const file = fs.openSync("sparse", "w"); for (const size of [2 ** 40, 2 ** 36, 2 ** 32, 2 ** 30]) try { fs.ftruncateSync(file, size); break; } catch {}',
  },
  {
    name: "full",
    does: "fills the disk with files as large as it may",
    code: 'const block = Buffer.alloc(2 ** 20, "x"); for (let file = 0; file < 40; file += 1) { const open = fs.openSync("full-" + file, "w"); try { for (let at = 0; at < 20; at += 1) fs.writeSync(open, block); } catch {} }',
  },
  {
    name: "immutable",
    does: "tries to leave a file that nobody can remove",
    code: 'fs.writeFileSync("stays", "x"); run("chattr", ["+ia", "stays"]); fs.mkdirSync("kept"); run("chattr", ["+i", "kept"]); run("setfattr", ["-n", "user.x", "-v", "y".repeat(1000), "stays"]);',
  },
  {
    name: "foreign",
    does: "tries to leave files of somebody else",
    code: 'fs.writeFileSync("theirs", "x"); for (const id of [0, 1, 1000, 65533]) try { fs.chownSync("theirs", id, id); } catch {}',
  },
  {
    name: "mounts",
    does: "tries to leave a mount",
    code: 'fs.mkdirSync("mount"); run("mount", ["-t", "tmpfs", "none", "mount"]); run("unshare", ["-Urm", "mount", "--bind", "/", "mount"]); run("fusermount", ["mount"]);',
  },
  {
    name: "processes",
    does: "leaves processes that hear no signal and write on",
    code: 'for (let at = 0; at < 5; at += 1) spawn("sh", ["-c", "trap \\"\\" TERM HUP INT; while :; do : > later-$$; sleep 0.01; done"], { detached: true, stdio: "ignore" }).unref();',
  },
  {
    name: "orphans",
    does: "leaves a process of a process of a process, in a session of its own",
    code: 'spawn("sh", ["-c", "(setsid sh -c \\"(sleep 1000 &) ; sleep 1000\\" &) ; exit"], { detached: true, stdio: "ignore" }).unref();',
  },
  {
    name: "gone",
    does: "removes everything, its own folder too",
    code: 'for (const name of fs.readdirSync(".")) fs.rmSync(name, { recursive: true, force: true }); try { fs.rmdirSync(process.cwd()); } catch {}',
  },
  {
    name: "moved",
    does: "moves its files away and comes back under another name",
    code: 'fs.mkdirSync("x"); for (const name of fs.readdirSync(".")) if (name !== "x") try { fs.renameSync(name, "x/" + name); } catch {}',
  },
  {
    name: "a repository within",
    does: "leaves a repository whose configuration runs programs",
    code: 'run("git", ["init", "-q", "in"]); fs.writeFileSync("in/.git/config", "[core]\\n\\tfsmonitor = touch struck\\n\\tsshCommand = touch struck\\n\\thooksPath = .\\n"); fs.writeFileSync(".gitattributes", "* filter=x diff=x\\n");',
  },
  {
    name: "noise",
    does: "prints paths of wherever it is, and megabytes of errors",
    code: 'console.error(__dirname, process.cwd(), "x".repeat(3_000_000)); console.error(fs.readFileSync("/proc/self/mountinfo", "utf8"));',
  },
  { name: "killed", does: "ends itself by a signal", code: 'process.kill(process.pid, "SIGSEGV");' },
  {
    name: "exit",
    does: "ends with 255 and half a report",
    code: 'process.stdout.write("{\\"version\\": \\"2.1.0\\", \\"runs\\": [{"); process.exit(255);',
  },
];
