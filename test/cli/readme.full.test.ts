import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const BEFORE = `import express from "express";

export const app = express();

app.get("/health", (request, response) => response.json({ ok: true }));
`;

const AFTER = `import { exec } from "node:child_process";
${BEFORE}
app.get("/files", (request, response) => {
  const dir = String(request.query.dir);
  exec("ls " + dir, (error, out) => response.type("text").send(out));
});
`;

it("DOC-1, CLI-2: README.md shows what `forge review` prints", () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const at = "2026-11-27T00:00:00Z";
  const env = { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=ana", "-c", "user.email=ana@example.com", ...args], { cwd: folder, env });
  write("package.json", '{ "name": "shop", "type": "module" }\n');
  write("src/server.js", BEFORE);
  git("init", "--quiet", "--initial-branch", "main");
  git("add", ".");
  git("commit", "--quiet", "--message", "Add a server");
  git("checkout", "--quiet", "-b", "files");
  write("src/server.js", AFTER);
  const { stdout, status } = spawnSync(process.execPath, ["bin/forge.mjs", "review", folder], {
    encoding: "utf8",
    env,
  });
  expect(status).toBe(1);
  const [, shown] = /^```text\n(.*?)^```/ms.exec(readFileSync("README.md", "utf8"))!;
  expect(stdout).toBe(shown);
});
