import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { fetchCommits } from "../../../src/workspace/fetch-commits.ts";
import type { Mirror } from "../../../src/workspace/mirror.ts";
import { expectOk, startFixture } from "../../workspace/fixture.ts";
import type { TestFile } from "../../workspace/test-repository.ts";

/** Words that stand nowhere but in what must not be read, and one that names processes which must not live. */
const CANARIES = {
  environment: "canary-of-the-environment",
  outside: "canary-outside-the-clone",
  other: "canary-of-another-repository",
  git: "canary-in-the-configuration-of-git",
  passwords: "root:x:0",
} as const;
/** Of this test process alone: other files look at the same machine at the same time. */
export const PROCESS = `canary-process-that-stays-${process.pid}-${randomUUID()}`;

/** A machine on which everything forbidden leaves a trace: a repository with links out of it, and canaries around it. */
export interface Grounds extends AsyncDisposable {
  /** A folder outside of every clone: nothing in it may change. */
  readonly outside: string;
  /** A file in it, with a word that nobody may read. */
  readonly secretFile: string;
  /** A repository of somebody else, beside the mirror. */
  readonly otherRepository: string;
  /** A server on this machine that nobody may ask. */
  readonly url: string;
  readonly mirror: Mirror;
  /** Commits on the base, one for each set of files, all fetched. */
  readonly commit: (changes: readonly Changes[]) => Promise<{ readonly base: string; readonly heads: string[] }>;
  readonly scratch: () => string;
  /** Fails when any of it was touched, or when `seen` holds what must not be known. */
  readonly expectUntouched: (seen: string) => void;
}

export interface Changes {
  readonly files: readonly TestFile[];
  readonly message?: string;
}

export async function openGrounds(base: (grounds: Pick<Grounds, "outside">) => readonly TestFile[]): Promise<Grounds> {
  const fixture = await startFixture();
  const outside = mkdtempSync(join(tmpdir(), "forge-outside-"));
  const secretFile = join(outside, "secret.txt");
  writeFileSync(secretFile, `${CANARIES.outside}\n`);
  const otherRepository = join(outside, "other.git");
  mkdirSync(otherRepository);
  writeFileSync(join(otherRepository, "config"), `# ${CANARIES.other}\n`);
  symlinkSync(secretFile, join(outside, "link"));
  process.env.FORGE_TEST_CANARY = CANARIES.environment;
  const asked: string[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    asked.push(request.url ?? "");
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const before = snapshot(outside);
  const mirror = fixture.mirror();
  const scratchRoot = mkdtempSync(join(tmpdir(), "forge-hostile-scratch-"));
  return {
    outside,
    secretFile,
    otherRepository,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mirror,
    commit: async (changes) => {
      const { origin } = fixture;
      const first = origin.commit({ branch: "main", files: base({ outside }), message: "Begin" });
      const heads = changes.map(({ files, message = "Change" }, index) =>
        origin.commit({ branch: `head-${index}`, parents: [first], files, message }),
      );
      expectOk(await fetchCommits(mirror, { shas: [first, ...heads] }));
      const configuration = join(mirror.places.gitDirectory, "config");
      writeFileSync(configuration, `${readFileSync(configuration, "utf8")}[canary]\n\tword = ${CANARIES.git}\n`);
      return { base: first, heads };
    },
    scratch: () => mkdtempSync(join(scratchRoot, "case-")),
    expectUntouched: (seen) => {
      for (const word of Object.values(CANARIES)) expect(seen).not.toContain(word);
      // What this process was started with, as the system tells it.
      expect(seen).not.toContain(`PATH=${process.env.PATH}`);
      expect(asked).toEqual([]);
      expect(snapshot(outside)).toEqual(before);
      expect(livingCanaries()).toEqual([]);
    },
    async [Symbol.asyncDispose]() {
      delete process.env.FORGE_TEST_CANARY;
      server.close();
      await fixture[Symbol.asyncDispose]();
      for (const folder of [outside, scratchRoot]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Every file below a folder with what is in it. */
function snapshot(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")]),
  );
}

/** Processes of this machine that carry the name. */
export function livingCanaries(): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      return command.includes(PROCESS) ? [command] : [];
    } catch {
      return [];
    }
  });
}
