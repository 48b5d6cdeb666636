import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostileCheckout } from "./hostile-checkout.ts";

/** Something in a checkout that has git start a program. */
export interface StartingPayload {
  readonly name: string;
  /** Plants it; `run` is the shell command that is to be started. */
  readonly plant: (checkout: HostileCheckout, run: string) => void;
  /** What plain git has to be asked for the program to be started. */
  readonly plain: readonly string[];
}

const STATUS = ["status"];
const ATTRIBUTES = "* filter=bait diff=bait merge=bait\n";

/** A program for `name` on the one side, the attributes that lead to it on the other. */
function attributes({ gitDirectory }: HostileCheckout): void {
  mkdirSync(join(gitDirectory, "info"), { recursive: true });
  writeFileSync(join(gitDirectory, "info", "attributes"), ATTRIBUTES);
}

function configured(name: string, text: (run: string, at: HostileCheckout) => string, plain: readonly string[]) {
  const plant: StartingPayload["plant"] = (at, run) => {
    attributes(at);
    at.configure(text(run, at));
  };
  return { name, plant, plain };
}

/** A value in quotes, so that a shell line with blanks and semicolons is one. */
const quoted = (run: string) => `"${run.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
const filter = (key: string) => (run: string) => `[filter "bait"]\n\t${key} = ${quoted(`${run}; cat`)}\n`;
const core = (key: string) => (run: string) => `[core]\n\t${key} = ${quoted(run)}\n`;

const CONFIGURED: readonly StartingPayload[] = [
  configured("filter.clean", filter("clean"), STATUS),
  configured("filter.process", filter("process"), STATUS),
  configured("filter.smudge", filter("smudge"), ["checkout", "side"]),
  configured("core.fsmonitor", core("fsmonitor"), STATUS),
  configured("core.sshCommand", core("sshCommand"), ["ls-remote", "ssh://127.0.0.1/x"]),
  configured("core.gitProxy", (run, at) => `[core]\n\tgitProxy = ${script(at, "proxy", run)}\n`, [
    "ls-remote",
    "git://127.0.0.1/x",
  ]),
  configured("core.askPass", (run, at) => `[core]\n\taskPass = ${script(at, "ask", run)}\n`, ["credential", "fill"]),
  configured("core.editor", core("editor"), ["commit", "--amend"]),
  configured("sequence.editor", (run) => `[sequence]\n\teditor = ${quoted(run)}\n`, ["rebase", "-i", "--root"]),
  configured("diff.external", (run) => `[diff]\n\texternal = ${quoted(run)}\n`, ["diff", "side"]),
  configured("diff.<driver>.textconv", (run) => `[diff "bait"]\n\ttextconv = ${quoted(`${run}; cat`)}\n`, [
    "diff",
    "side",
  ]),
  configured("diff.<driver>.command", (run) => `[diff "bait"]\n\tcommand = ${quoted(run)}\n`, ["diff", "side"]),
  configured("merge.<driver>.driver", (run) => `[merge "bait"]\n\tdriver = ${quoted(run)}\n`, ["merge", "side"]),
  configured(
    "log.showSignature",
    (run, at) => `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${script(at, "gpg", run)}\n`,
    ["log"],
  ),
  configured(
    "commit.gpgSign",
    (run, at) => `[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = ${script(at, "sign", run)}\n`,
    [...["commit", "--allow-empty", "-m", "x"]],
  ),
  configured("alias", (run) => `[alias]\n\tbait = ${quoted(`!${run}`)}\n`, ["bait"]),
  configured("tar.<format>.command", (run) => `[tar "bait"]\n\tcommand = ${quoted(`${run}; cat`)}\n`, [
    ...["archive", "--format=bait", "HEAD"],
  ]),
  configured("difftool.<tool>.cmd", (run) => `[difftool "bait"]\n\tcmd = ${quoted(run)}\n`, [
    ...["difftool", "-y", "-t", "bait", "side"],
  ]),
  configured("credential.helper", (run) => `[credential]\n\thelper = ${quoted(`!${run}`)}\n`, ["credential", "fill"]),
  configured(
    "remote.uploadpack",
    (run, { folder }) => `[remote "origin"]\n\turl = ${folder}\n\tuploadpack = ${quoted(run)}\n`,
    ["fetch", "origin"],
  ),
  configured(
    "remote.receivepack",
    (run, { folder }) => `[remote "o"]\n\turl = ${folder}\n\treceivepack = ${quoted(run)}\n`,
    [...["push", "o", "HEAD:refs/heads/x"]],
  ),
  configured("remote.vcs", (run, at) => ext(script(at, "vcs", run), "ext::sh", true), ["fetch", "origin"]),
  configured("url.insteadOf", (run, at) => ext(script(at, "url", run), "https://", false), [
    ...["ls-remote", "https://example.com/x"],
  ]),
  configured(
    "extensions.partialClone",
    (run, { folder }) =>
      "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = lazy\n" +
      `[remote "lazy"]\n\turl = ${folder}\n\tpromisor = true\n\tpartialCloneFilter = blob:none\n\tuploadpack = ${quoted(run)}\n`,
    ["cat-file", "-e", "1".repeat(40)],
  ),
];

const PLANTED: readonly StartingPayload[] = [
  {
    name: "filter.clean by .gitattributes",
    plant: (at, run) => {
      at.write(".gitattributes", ATTRIBUTES);
      at.configure(filter("clean")(run));
    },
    plain: STATUS,
  },
  {
    name: "filter.clean by core.attributesFile",
    plant: (at, run) => {
      writeFileSync(join(at.gitDirectory, "more"), ATTRIBUTES);
      at.configure(`[core]\n\tattributesFile = ${at.gitDirectory}/more\n${filter("clean")(run)}`);
    },
    plain: STATUS,
  },
  {
    name: "include.path",
    plant: (at, run) => {
      writeFileSync(join(at.gitDirectory, "more"), core("fsmonitor")(run));
      at.configure("[include]\n\tpath = more\n");
    },
    plain: STATUS,
  },
  {
    name: "includeIf.gitdir",
    plant: (at, run) => {
      writeFileSync(join(at.gitDirectory, "sometimes"), core("fsmonitor")(run));
      at.configure('[includeIf "gitdir:**"]\n\tpath = sometimes\n');
    },
    plain: STATUS,
  },
  {
    name: "extensions.worktreeConfig",
    plant: (at, run) => {
      at.configure("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n");
      writeFileSync(join(at.gitDirectory, "config.worktree"), core("fsmonitor")(run));
    },
    plain: STATUS,
  },
  {
    name: "core.hooksPath in the tree",
    plant: (at, run) => {
      at.write("tools/post-index-change", `#!/bin/sh\n${run}\n`);
      at.git("update-index", "--add", "--chmod=+x", "tools/post-index-change");
      at.git("checkout-index", "-f", "tools/post-index-change");
      at.configure("[core]\n\thooksPath = tools\n");
    },
    plain: STATUS,
  },
  ...["post-index-change", "reference-transaction", "post-commit", "pre-commit", "post-checkout", "pre-push"].map(
    (name) => ({
      name: `hooks/${name}`,
      plant: (at: HostileCheckout, run: string) => at.hook(name, run),
      plain: {
        "post-index-change": STATUS,
        "reference-transaction": ["update-ref", "refs/heads/new", "HEAD"],
        "post-checkout": ["checkout", "-q", "side"],
        "pre-push": ["push", "--force", ".", "HEAD:refs/heads/x"],
      }[name] ?? ["commit", "--allow-empty", "-m", "x"],
    }),
  ),
  {
    name: "a submodule's own configuration",
    plant: (at, run) => {
      at.git("init", "-q", "inner");
      at.git("-C", "inner", "commit", "-q", "--allow-empty", "-m", "Inner");
      at.git("add", "inner");
      writeFileSync(join(at.folder, "inner", ".git", "config"), core("fsmonitor")(run), { flag: "a" });
    },
    plain: STATUS,
  },
  {
    name: "a filter of a submodule's own",
    plant: (at, run) => {
      at.git("init", "-q", "within");
      at.write("within/file.txt", "text\n");
      at.git("-C", "within", "add", ".");
      at.git("-C", "within", "commit", "-qm", "Within");
      at.git("add", "within");
      writeFileSync(join(at.folder, "within", ".git", "config"), filter("clean")(run), { flag: "a" });
      writeFileSync(join(at.folder, "within", ".git", "info", "attributes"), ATTRIBUTES);
      utimesSync(join(at.folder, "within", "file.txt"), 1, 1);
    },
    plain: STATUS,
  },
  {
    name: "submodule.<name>.update",
    plant: (at, run) => {
      at.git("init", "-q", "lib");
      at.git("-C", "lib", "commit", "-q", "--allow-empty", "-m", "Lib");
      at.write(".gitmodules", '[submodule "lib"]\n\tpath = lib\n\turl = ./lib\n');
      at.git("update-index", "--add", "--cacheinfo", `160000,${"2".repeat(40)},lib`);
      at.configure(
        `[submodule "lib"]\n\turl = ${at.folder}/lib\n\tactive = true\n\tupdate = ${quoted(`!${run}; :`)}\n`,
      );
    },
    plain: ["submodule", "update", "--no-fetch"],
  },
];

/** Each of these is known to be alive: plain git starts its program. */
export const STARTING: readonly StartingPayload[] = [...CONFIGURED, ...PLANTED];

function script({ gitDirectory }: HostileCheckout, name: string, run: string): string {
  const path = join(gitDirectory, `${name}.sh`);
  writeFileSync(path, `#!/bin/sh\n${run}\n`, { mode: 0o755 });
  return path;
}

function ext(program: string, instead: string, byVcs: boolean): string {
  const remote = byVcs ? `[remote "origin"]\n\turl = ${program}\n\tvcs = ext\n` : "";
  return `${remote}[protocol "ext"]\n\tallow = always\n[url "ext::${program} "]\n\tinsteadOf = ${instead}\n`;
}
