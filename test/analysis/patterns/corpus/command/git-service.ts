import { promisify } from "node:util";
import cp, { spawnSync, execFileSync } from "node:child_process";
import { Body, Controller, Get, Post, Query } from "@nestjs/common";

const run = promisify(cp.exec);
const runFile = promisify(cp.execFile);

@Controller("repositories")
export class RepositoriesController {
  @Post("clone")
  async clone(@Body() body: { url: string; folder: string }) {
    // wrong: CWE-78 promisified exec with a template
    await run(`git clone ${body.url} /srv/repos/${body.folder}`);
    return { ok: true };
  }

  @Post("clone-file")
  async cloneFile(@Body("url") url: string) {
    if (!url.startsWith("https://")) throw new Error("https only");
    // right: CWE-78 argument list, no option possible
    await runFile("git", ["clone", "--depth=1", "--", url], { cwd: "/srv/repos" });
    return { ok: true };
  }

  @Get("log")
  log(@Query("branch") branch: string) {
    // wrong: CWE-78 sh -c with a branch name
    const result = spawnSync("sh", ["-c", "git log --oneline " + branch], { cwd: "/srv/repos/main" });
    return result.stdout.toString();
  }

  @Get("tags")
  tags() {
    // right: CWE-78 constant command through a shell
    return spawnSync("sh", ["-c", "git tag | sort -V | tail -n 5"], { cwd: "/srv/repos/main" }).stdout.toString();
  }

  @Get("blame")
  blame(@Query("file") file: string) {
    // wrong: CWE-78 quotes are no protection
    return cp.execSync(`git blame "${file}"`, { cwd: "/srv/repos/main", encoding: "utf8" });
  }

  @Get("show")
  show(@Query("commit") commit: string) {
    if (!/^[0-9a-f]{7,40}$/.test(commit)) throw new Error("not a commit");
    // right: CWE-78 hexadecimal only and no shell
    return execFileSync("git", ["show", commit], { cwd: "/srv/repos/main", encoding: "utf8" });
  }

  @Get("grep")
  grep(@Query("word") word: string) {
    // wrong: CWE-78 execFile with the shell switched on
    return execFileSync("git", ["grep", word], { cwd: "/srv/repos/main", shell: "/bin/bash", encoding: "utf8" });
  }
}
