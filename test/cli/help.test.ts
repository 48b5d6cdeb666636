import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it, vi } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { type Command, dispatch, UsageError } from "../../src/cli/dispatch.ts";
import { folderNamed } from "../../src/cli/folder-argument.ts";
import { HELP_COLUMNS } from "../../src/cli/help.ts";
import { pullNamed } from "../../src/cli/pull-argument.ts";
import { calledAs } from "../../src/workspace/called-as.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";

const ran: string[] = [];
const commands: Command[] = COMMANDS.map((command) => ({
  ...command,
  run: async (args) => {
    ran.push(command.name);
    if (args.includes("--wrong")) throw new UsageError("that is wrong");
    return 0;
  },
}));

/** What `forge` prints, and its exit code. */
async function forge(
  ...argv: string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [out, err] = [process.stdout, process.stderr].map((it) => vi.spyOn(it, "write").mockReturnValue(true));
  const code = await dispatch(commands, argv);
  const [printed, said] = [out!, err!].map((spy) => spy.mock.calls.map(([text]) => text).join(""));
  out!.mockRestore();
  err!.mockRestore();
  return { code, out: printed!, err: said! };
}

it("CLI-1: no line of any help is longer than 80 columns, and each command is in the list once", async () => {
  ran.length = 0;
  const list = await forge("--help");
  expect(list).toEqual({ ...(await forge("help")), code: 0 });
  for (const { name } of COMMANDS) {
    const help = await forge("help", name);
    expect(help.code).toBe(0);
    expect(await forge(name, "-h")).toEqual(help);
    expect(list.out.match(new RegExp(`^  ${name} `, "gm"))).toHaveLength(1);
    const long = help.out.split("\n").filter((line) => line.length > HELP_COLUMNS);
    // The usage has the path of this checkout, which can be long.
    expect(
      long.filter((line) => !line.includes(`${calledAs()} ${name}`)),
      name,
    ).toEqual([]);
  }
  // The last two lines have the path of this checkout, which can be long.
  const lines = list.out.split("\n").filter((line) => !line.includes("bin/forge.mjs"));
  expect(lines.filter((line) => line.length > HELP_COLUMNS)).toEqual([]);
  expect(ran).toEqual([]);
});

it("CLI-1: the help of a command is whole", async () => {
  expect((await forge("help", "doctor")).out).toBe(
    `Check configuration, models, App, database, git and sandbox.

Usage: ${calledAs()} doctor [options]

Options:
  --fix  download a missing sandbox program

Exit codes: 0 in order, 1 something is wrong.
`,
  );
});

it("CLI-1: a wrong command or option is answered in a sentence, with the nearest one", async () => {
  expect(await forge("stauts")).toMatchObject({ code: 64, out: "" });
  expect((await forge("stauts")).err).toMatch(
    /^forge: unknown command "stauts"\. Did you mean .* status\?\nList of commands: .* --help\n$/,
  );
  expect((await forge("help", "reveiw")).err).toMatch(/Did you mean .* review\?/);
  expect((await forge("--verison")).err).toMatch(/unknown option "--verison"\. Did you mean .* --version\?/);
  expect((await forge()).code).toBe(64);
  expect((await forge("backup", "--wrong")).err).toBe(
    `forge: that is wrong\nUsage: ${calledAs()} backup <file>\nHelp:  ${calledAs()} help backup\n`,
  );
  for (const version of ["--version", "-v", "version"])
    expect(await forge(version)).toEqual({ code: 0, out: expect.stringMatching(/^forge \d+\.\d+\.\d+\n$/), err: "" });
  // Behind `--` it is the name of a file.
  ran.length = 0;
  expect(await forge("backup", "--", "--help")).toMatchObject({ code: 0, out: "" });
  expect(ran).toEqual(["backup"]);
});

it("CLI-1: a folder and a file are different, and a pull request has an address", async () => {
  expect(await folderNamed("src", "review")).toBe(resolve("src"));
  expect(await folderNamed("nowhere", "review")).toBeUndefined();
  await expect(folderNamed("src/main.ts", "test")).rejects.toThrow(
    /^src\/main\.ts is a file\. Name its folder: .* test src$/,
  );
  const pull = { owner: "acme", name: "shop", number: 3 };
  expect(pullNamed("acme/shop#3")).toEqual(pull);
  for (const page of ["", "/", "/files", "/commits/abc?x=1#discussion_r1"])
    expect(pullNamed(`https://github.com/acme/shop/pull/3${page}`)).toEqual({ ...pull, host: "github.com" });
  for (const other of ["/issues/3", "/pull/x", "/pull/3x", "/pulls", "", "/pull/0"])
    expect(pullNamed(`https://github.com/acme/shop${other}`)).toBeUndefined();
  expect(pullNamed("ftp://github.com/acme/shop/pull/3")).toBeUndefined();
  expect(pullNamed(`https://github.com/acme/shop/pull/3?${"x".repeat(2_000)}`)).toBeUndefined();
});

it("CLI-1: commands that Forge prints start this Forge from where the user is", () => {
  const place = temporaryFolder();
  const program = join(place, "a copy", "bin", "forge.mjs");
  const [global, other] = [join(place, "global"), join(place, "other")];
  for (const folder of [dirname(program), global, other]) mkdirSync(folder, { recursive: true });
  writeFileSync(program, "");
  writeFileSync(join(other, "forge"), "");
  symlinkSync(program, join(global, "forge"));
  symlinkSync(program, join(global, "forge-lifecycle"));
  const from = (cwd: string, environment: Record<string, string>) => calledAs(environment, cwd, program);
  const npx = { npm_lifecycle_event: "npx", PATH: global };
  const copy = join(place, "a copy");
  const byPath = `node '${program}'`;
  expect(from(other, {})).toBe(byPath);
  expect(from(other, { PATH: `${place}:${global}:${other}` })).toBe("forge");
  // Another program is called `forge` here, and comes first.
  expect(from(other, { PATH: `${other}:${global}` })).toBe("forge-lifecycle");
  expect(from(other, { PATH: other })).toBe(byPath);
  expect(from(copy, {})).toBe("node bin/forge.mjs");
  expect(from(join(copy, "bin"), {})).toBe("node forge.mjs");
  expect(from(copy, { ...npx, npm_config_local_prefix: copy })).toBe("npx forge-lifecycle");
  // From npm's cache, where `npx forge` would fetch a different package.
  expect(from(other, { ...npx, npm_config_local_prefix: other })).toBe("npx forge-lifecycle");
  expect(from(other, { ...npx, npm_config_local_prefix: copy })).toBe(`npx --prefix '${copy}' forge-lifecycle`);
  expect(from(copy, { npm_lifecycle_event: "start", PATH: global })).toBe("node bin/forge.mjs");
});
