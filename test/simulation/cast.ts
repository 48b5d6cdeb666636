import type { IssueSnapshot } from "../../src/domain/implementation.ts";
import type { Actor, RepositoryRef, Role, Subject } from "../../src/domain/subjects.ts";

export interface Person extends Actor {
  readonly role: Role;
}

const person = (login: string, id: number, role: Role): Person => ({ login, id, kind: "user", role });

/** Somebody of every role; eve wrote the issue, and ana asks for the work. */
export const PEOPLE = [
  person("ana", 1, "admin"),
  person("ben", 2, "maintain"),
  person("cleo", 3, "write"),
  person("dan", 4, "triage"),
  person("eve", 5, "read"),
] as const satisfies readonly Person[];

export const [ANA, BEN, , , EVE] = PEOPLE;

const repository: RepositoryRef = { id: 11, owner: "acme", name: "shop", installationId: 5 };
export const ISSUE: Subject = { kind: "issue", repository, number: 42 };
export const BASE = "0".repeat(40);

export const SNAPSHOT: IssueSnapshot = {
  title: "Limit logins",
  body: { by: { login: EVE.login, id: EVE.id, kind: "user" }, role: EVE.role, at: "", text: "Too many tries." },
  labels: ["forge:implement"],
  comments: [],
  leftOut: { comments: 0, characters: 0 },
};

export function actorOf({ login, id, kind }: Person): Actor {
  return { login, id, kind };
}
