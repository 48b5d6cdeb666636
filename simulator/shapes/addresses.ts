import type { Repository } from "../records.ts";
import { fullName, type World } from "../world.ts";

/** The opaque id that GraphQL and `node_id` use: kind and number, encoded. */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`${kind}:${id}`).toString("base64url");
}

/** The parts of a node id; kind is "" when it is none. */
export function readNodeId(id: string): { kind: string; number: number } {
  const [kind = "", number = ""] = Buffer.from(id, "base64url").toString().split(":");
  return /^\d+$/.test(number) ? { kind, number: Number(number) } : { kind: "", number: 0 };
}

/** "http://127.0.0.1:<port>/api/v3/repos/<owner>/<name>", as on GitHub Enterprise. */
export function repositoryApi(world: World, repository: Repository): string {
  return `${world.origin}/api/v3/repos/${fullName(repository)}`;
}

export function repositoryPage(world: World, repository: Repository): string {
  return `${world.origin}/${fullName(repository)}`;
}
