import { createHash, randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { ForgeError } from "../domain/errors.ts";
import type { ListedRepository } from "../github/person-host.ts";
import { addSession, endSession, readSessions, type Session } from "../store/sessions.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";
import type { Seal } from "./seal.ts";
import type { Visitor } from "./visitor.ts";

/** As long as a token of GitHub lasts: whoever comes later is sent there again, which takes no click. */
export const SESSION_SECONDS = 8 * 60 * 60;
/** What GitHub lists for somebody is believed for so long. */
const LIST_MS = 10 * 60_000;
/** GitHub is not asked again for so long after it did not answer: every open page would ask every two seconds. */
const FAILURE_MS = 20_000;
/** People whose lists are held; those who came first are read anew. */
const MOST_LISTS = 500;

interface List {
  readonly accessVersion: number;
  until: number;
  readonly repositories: Promise<ReadonlyMap<number, ListedRepository>>;
}

export interface Sessions {
  /** What the cookie holds from now on. */
  begin(person: { readonly id: number; readonly login: string }, token: string): Promise<string>;
  end(id: string): Promise<void>;
  /** Undefined for whoever is not signed in. */
  visitor(id: string | undefined): Promise<Visitor | undefined>;
}

export function createSessions({ store, host, settings, now }: DashboardDependencies, seal: Seal): Sessions {
  const lists = new Map<string, List>();
  let asked: { readonly idHashes: Set<string>; readonly found: ReturnType<typeof readSessions> } | undefined;

  /** All that ask in one turn are answered by one query: the pages that are live hear of something at the same moment. */
  function sessionOf(idHash: string): Promise<Session | undefined> {
    if (!asked) {
      const idHashes = new Set<string>();
      const found = setImmediate().then(() => {
        asked = undefined;
        return readSessions(store, [...idHashes], now().toISOString());
      });
      asked = { idHashes, found };
    }
    asked.idHashes.add(idHash);
    return asked.found.then((sessions) => sessions.get(idHash));
  }

  function listFor({ idHash, accessVersion }: Session, token: string): List["repositories"] {
    const time = now().getTime();
    const held = lists.get(idHash);
    if (held && held.accessVersion === accessVersion && held.until > time) return held.repositories;
    lists.delete(idHash);
    const repositories = host.repositoriesOf(token);
    const list: List = { accessVersion, until: time + LIST_MS, repositories };
    lists.set(idHash, list);
    const [first] = lists.keys();
    if (first !== undefined && lists.size > MOST_LISTS) lists.delete(first);
    // The promise itself tells the caller.
    repositories.catch(() => {
      list.until = now().getTime() + FAILURE_MS;
    });
    return repositories;
  }

  /** A sign-in that GitHub takes no more is none here either. */
  async function orEnd<T>({ idHash }: Session, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ForgeError && error.code === "sign_in_ended") {
        lists.delete(idHash);
        await endSession(store, idHash);
      }
      throw error;
    }
  }

  return {
    begin: async ({ id: personId, login }, token) => {
      const id = randomBytes(32).toString("base64url");
      const idHash = hashOf(id);
      const endsAt = new Date(now().getTime() + SESSION_SECONDS * 1000).toISOString();
      const sealed = seal.close("a person's token", token, idHash);
      await addSession(store, { idHash, personId, login, token: sealed, endsAt }, now().toISOString());
      return id;
    },
    end: async (id) => {
      lists.delete(hashOf(id));
      await endSession(store, hashOf(id));
    },
    visitor: async (id) => {
      if (id === undefined) return undefined;
      const session = await sessionOf(hashOf(id));
      if (!session) return undefined;
      const token = seal.open("a person's token", session.token, session.idHash);
      if (token === undefined) return undefined;
      return {
        id: session.personId,
        login: session.login,
        isOperator: settings.operators.includes(session.personId),
        operatorNow: () => orEnd(session, async () => settings.operators.includes((await host.whoIs(token)).id)),
        repositories: () => orEnd(session, () => listFor(session, token)),
        repositoryNow: (repositoryId) => {
          lists.delete(session.idHash);
          return orEnd(session, async () => (await listFor(session, token)).get(repositoryId));
        },
        comment: (subject, body) => orEnd(session, () => host.comment(token, subject, body)),
        formToken: seal.sign("a form", id),
      };
    },
  };
}

function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
