import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SHOP } from "../../e2e/implementer.ts";

/** A checkout that somebody else packed, with its `.git`, and the place where its programs leave a mark. */
export interface HostileCheckout extends Disposable {
  readonly place: string;
  readonly folder: string;
  readonly gitDirectory: string;
  /** A shell command that leaves the mark of this name, and nothing else. */
  readonly mark: (name: string) => string;
  /** Names of the marks that were left. */
  readonly marks: () => string[];
  readonly clearMarks: () => void;
  readonly write: (path: string, text: string) => void;
  /** Adds to `.git/config`. */
  readonly configure: (text: string) => void;
  readonly hook: (name: string, command: string) => void;
  /** Git as people run it, in this checkout: with all that it was configured to do. */
  readonly git: (...args: string[]) => string;
}

/** What `git credential` is asked for; nothing else reads its input. */
const ASKED = "protocol=https\nhost=example.com\nusername=ana\n\n";

/** A commit with a signature, so that whoever shows signatures starts a program; a branch that cannot be merged without asking. */
export function createHostileCheckout(): HostileCheckout {
  const place = mkdtempSync(join(tmpdir(), "forge-hostile-"));
  const folder = join(place, "shop");
  const gitDirectory = join(folder, ".git");
  const left = join(place, "marks");
  mkdirSync(left);
  mkdirSync(folder);
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: place,
    TERM: "dumb",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "ana",
    GIT_AUTHOR_EMAIL: "ana@example.com",
    GIT_COMMITTER_NAME: "ana",
    GIT_COMMITTER_EMAIL: "ana@example.com",
  };
  writeFileSync(join(place, "asked"), ASKED);
  const git = (...args: string[]) => {
    const asked = openSync(join(place, "asked"), "r");
    try {
      return execFileSync("git", args, {
        cwd: folder,
        env: environment,
        encoding: "utf8",
        stdio: [asked, "pipe", "pipe"],
      });
    } finally {
      closeSync(asked);
    }
  };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, content] of Object.entries(SHOP)) write(path, content);
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "Begin");
  git("switch", "-qc", "side");
  write("package.json", '{ "name": "side" }\n');
  git("commit", "-qam", "Side");
  git("switch", "-q", "main");
  write("package.json", SHOP["package.json"].replace("shop", "store"));
  git("commit", "-qam", "Store");
  sign(git("cat-file", "commit", "HEAD"));
  // Git looks into a file only when it seems to have been written since.
  for (const path of Object.keys(SHOP)) utimesSync(join(folder, path), 1, 1);

  function sign(commit: string): void {
    const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n wsBc\n -----END PGP SIGNATURE-----\n";
    writeFileSync(join(place, "commit"), commit.replace("\n\n", `\n${signature}\n`));
    git("reset", "-q", "--soft", git("hash-object", "-w", "-t", "commit", join(place, "commit")).trim());
  }
  return {
    ...{ place, folder, gitDirectory, git, write },
    mark: (name) => `touch ${join(left, name)}`,
    marks: () => readdirSync(left).sort(),
    clearMarks: () => {
      for (const name of readdirSync(left)) rmSync(join(left, name));
    },
    configure: (text) => writeFileSync(join(gitDirectory, "config"), text, { flag: "a" }),
    hook: (name, command) => {
      const path = join(gitDirectory, "hooks", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    },
    [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** Runs plain git; that it fails is none of our business. */
export function tryGit({ git }: HostileCheckout, args: readonly string[]): string {
  try {
    return git(...args);
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr ?? error);
  }
}
