import { execa, execaCommand, $ as execaTag } from "execa";
import shell from "shelljs";
import { $ } from "zx";
import type { Context } from "hono";

export async function convert(c: Context) {
  const name = c.req.query("name")!;
  // wrong: CWE-78 execaCommand with a shell
  const { stdout } = await execaCommand(`convert ${name} out.png`, { shell: true });
  return c.text(stdout);
}

export async function convertSafe(c: Context) {
  const name = c.req.query("name")!;
  // right: CWE-78 argument array of execa
  const { stdout } = await execa("convert", [`./in/${Number(name)}.jpg`, "out.png"]);
  return c.text(stdout);
}

export async function archive(c: Context) {
  const folder = c.req.query("folder");
  // wrong: CWE-78 shelljs always uses a shell
  const result = shell.exec(`tar czf /tmp/archive.tgz ${folder}`, { silent: true });
  return c.json({ code: result.code });
}

export async function archiveKnown(c: Context) {
  // right: CWE-78 constant text for shelljs
  const result = shell.exec("tar czf /var/backups/site.tgz /srv/site", { silent: true });
  return c.json({ code: result.code });
}

export async function grep(c: Context) {
  const word = c.req.query("word")!;
  // right: CWE-78 the tag of zx quotes its values
  const found = await $`grep -r -e ${word} ./docs`;
  return c.text(found.stdout);
}

export async function grepShell(c: Context) {
  const word = c.req.query("word")!;
  // wrong: CWE-78 value is read by bash -c again
  const found = await $`bash -c ${"grep -r " + word + " ./docs"}`;
  return c.text(found.stdout);
}

export async function tagged(c: Context) {
  // right: CWE-78 the tag of execa passes arguments
  const { stdout } = await execaTag`git show --stat ${c.req.param("id")!.replace(/[^0-9a-f]/g, "")}`;
  return c.text(stdout);
}

export async function shellOption(c: Context) {
  const branch = await c.req.text();
  // wrong: CWE-78 execa with the shell option
  await execa(`git checkout ${branch}`, { shell: true });
  return c.body(null, 204);
}
