import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Mirror, openMirror } from "../../src/workspace/mirror.ts";
import { type GitServer, type GitServerOptions, startGitServer } from "./git-server.ts";
import { createRepository, type TestRepository } from "./test-repository.ts";

export interface Fixture extends AsyncDisposable {
  readonly folder: string;
  readonly origin: TestRepository;
  readonly server: GitServer;
  /** A mirror of `origin`, by another name than the last one. */
  readonly mirror: () => Mirror;
}

/** One origin, a server for it and a folder for mirrors; everything goes when the test ends. */
export async function startFixture(options: Omit<GitServerOptions, "folder"> = {}): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), "forge-workspace-"));
  const origin = createRepository(folder, "origin");
  const server = await startGitServer({ folder, ...options });
  const { token } = options;
  let count = 0;
  return {
    folder,
    origin,
    server,
    mirror: () => {
      count += 1;
      return openMirror({
        root: join(folder, "mirrors"),
        repositoryId: String(count),
        remoteUrl: server.urlOf("origin"),
        allowHttp: true,
        ...(token === undefined ? {} : { token: async () => token }),
      });
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The successful outcome, or a failing test that shows the refusal. */
export function expectOk<T extends { ok: boolean }>(outcome: T): Extract<T, { ok: true }> {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome as Extract<T, { ok: true }>;
}
