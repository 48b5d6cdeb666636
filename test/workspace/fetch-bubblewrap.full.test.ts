import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fetchBubblewrapInto } from "../../src/workspace/sandbox/fetch-bubblewrap.ts";
import { describeWithApt } from "../needs/programs.ts";

let place: string;
let cache: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "forge-apt-"));
  // Where the tests run as root, apt reads as another user.
  chmodSync(place, 0o755);
  cache = join(place, "cache");
});
afterEach(() => {
  delete process.env.APT_CONFIG;
  rmSync(place, { recursive: true, force: true });
});

/** A package that holds one program, built by the distribution's own tools. */
function buildPackage(into: string, program: string): string {
  const root = join(place, `build-${readdirSync(place).length}`);
  mkdirSync(join(root, "DEBIAN"), { recursive: true });
  mkdirSync(join(root, "usr", "bin"), { recursive: true });
  writeFileSync(join(root, "usr", "bin", "bwrap"), program, { mode: 0o755 });
  const control =
    "Package: bubblewrap\nVersion: 9.9\nArchitecture: all\nMaintainer: a <a@b.example>\nDescription: one\n";
  writeFileSync(join(root, "DEBIAN", "control"), control);
  for (const folder of [root, join(root, "DEBIAN"), join(root, "usr"), join(root, "usr", "bin")])
    chmodSync(folder, 0o755);
  mkdirSync(into, { recursive: true });
  const file = join(into, "bubblewrap_9.9_all.deb");
  expect(spawnSync("dpkg-deb", ["--root-owner-group", "-b", root, file]).status).toBe(0);
  return control;
}

/** A repository of packages that nobody signed, as the only one that apt knows. */
function repository(options: string, settings = ""): string {
  const folder = join(place, "repository");
  const control = buildPackage(folder, "#!/bin/sh\necho bubblewrap 9.9\n");
  const bytes = readFileSync(join(folder, "bubblewrap_9.9_all.deb"));
  const digest = createHash("sha256").update(bytes).digest("hex");
  const entry = `${control}Filename: ./bubblewrap_9.9_all.deb\nSize: ${bytes.length}\nSHA256: ${digest}\n`;
  writeFileSync(join(folder, "Packages"), entry);
  // It lists the list, as a release does, with no signature beside it.
  const sum = createHash("sha256").update(entry).digest("hex");
  writeFileSync(join(folder, "Release"), `SHA256:\n ${sum} ${entry.length} Packages\n`);
  writeFileSync(join(place, "sources.list"), `deb ${options} file:${folder} ./\n`);
  mkdirSync(join(place, "lists", "partial"), { recursive: true });
  const lines = {
    "Dir::Etc::sourcelist": join(place, "sources.list"),
    "Dir::Etc::sourceparts": "/dev/null",
    "Dir::State::lists": join(place, "lists"),
  };
  const written = Object.entries(lines).map(([name, value]) => `${name} "${value}";\n`);
  writeFileSync(join(place, "apt.conf"), written.join("") + settings);
  process.env.APT_CONFIG = join(place, "apt.conf");
  return folder;
}

describeWithApt("fetching bubblewrap by apt", () => {
  it("unpacks the package into Forge's own folder, with lists of its own where the machine has none", async () => {
    repository("[trusted=yes]");
    const fetched = join(cache, "bubblewrap");
    expect(await fetchBubblewrapInto(cache)).toEqual({
      state: "fetched",
      detail: `bubblewrap 9.9, the distribution's signed package, was fetched into ${fetched}`,
    });
    expect(spawnSync(join(fetched, "usr", "bin", "bwrap")).stdout.toString()).toBe("bubblewrap 9.9\n");
    expect(readdirSync(cache)).toEqual(["bubblewrap"]);
    // Once more, over what is there.
    expect(await fetchBubblewrapInto(cache)).toMatchObject({ state: "fetched" });
  });

  it("SEC-1: takes nothing that is not signed, whatever the machine's settings permit", async () => {
    repository(
      "",
      'APT::Get::AllowUnauthenticated "true";\nAcquire::AllowInsecureRepositories "true";\nAcquire::AllowWeakRepositories "true";\n',
    );
    expect(await fetchBubblewrapInto(cache)).toEqual({
      state: "impossible",
      detail: expect.stringMatching(/^bubblewrap could not be fetched: apt-get could not download it: E: .*not signed/),
    });
    expect(readdirSync(cache)).toEqual([]);
  });

  it("SEC-1: takes no package whose bytes are not those of the list", async () => {
    const folder = repository("[trusted=yes]");
    buildPackage(folder, `#!/bin/sh\ntouch ${join(place, "ran")}\necho bubblewrap 9.9\n`);
    expect(await fetchBubblewrapInto(cache)).toMatchObject({ state: "impossible" });
    expect(readdirSync(cache)).toEqual([]);
    expect(existsSync(join(place, "ran"))).toBe(false);
  });

  it("SEC-1: keeps nothing in a folder that somebody else laid out", async () => {
    repository("[trusted=yes]");
    mkdirSync(join(place, "elsewhere"));
    symlinkSync(join(place, "elsewhere"), cache);
    expect(await fetchBubblewrapInto(cache)).toMatchObject({ state: "impossible" });
    expect(readdirSync(join(place, "elsewhere"))).toEqual([]);
  });
});
