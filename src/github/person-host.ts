import { Octokit } from "@octokit/rest";
import { z } from "zod";
import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import { numberOf, type Role, type Subject } from "../domain/subjects.ts";
import { createAsk, PAGE_SIZE } from "./ask.ts";
import { GitHubCallFailed } from "./classify-failure.ts";
import { roleFrom } from "./comment-reader.ts";

/** The App as people sign in to it. */
export interface AppClientSecret {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A repository that GitHub lists for a person, and what they may do there. */
export interface ListedRepository {
  readonly fullName: string;
  readonly permission: Role;
  readonly installationId: number;
}

/**
 * GitHub as a person sees it through the App, with a token of theirs (OPS-2). All that take a token throw ForgeError `sign_in_ended` where GitHub
 * no longer accepts it, `github_refused` where it refuses this one request, and `github_unavailable` without an answer.
 */
export interface PersonHost {
  /** Where the browser is sent. `challenge` is of PKCE: servers that do not know it ignore it. `login` is whom GitHub suggests to sign in as. */
  signInAddress(asked: {
    readonly callback: string;
    readonly state: string;
    readonly challenge: string;
    readonly login?: string;
  }): string;
  /** Undefined where GitHub refuses the code: it was used, is older than 10 minutes, or came from another browser. */
  tokenFor(given: {
    readonly code: string;
    readonly callback: string;
    readonly verifier: string;
  }): Promise<string | undefined>;
  whoIs(token: string): Promise<{ readonly id: number; readonly login: string }>;
  /** By numeric id. Only those that the person was given: a public one is not listed for strangers. */
  repositoriesOf(token: string): Promise<ReadonlyMap<number, ListedRepository>>;
  /** Writes a comment in the person's name. */
  comment(token: string, subject: Subject, body: string): Promise<void>;
}

/** GitHub says what is wrong with a code in an answer of status 200. */
const Exchanged = z.union([z.object({ access_token: z.string().min(1) }), z.object({ error: z.string() })]);
const User = z.object({ id: z.number().int().positive(), login: z.string() });
const Installations = z.object({ installations: z.array(z.object({ id: z.number().int() })) });
const flag = z.boolean().optional();
const Repositories = z.object({
  repositories: z.array(
    z.object({
      id: z.number().int().positive(),
      full_name: z.string(),
      permissions: z.object({ admin: flag, maintain: flag, push: flag, triage: flag, pull: flag }).optional(),
    }),
  ),
});

export function createPersonHost(
  { apiUrl, origin }: { readonly apiUrl: string; readonly origin: string },
  { clientId, clientSecret }: AppClientSecret,
): PersonHost {
  const asked = (token?: string) =>
    createAsk(new Octokit({ ...(token ? { auth: token } : {}), baseUrl: apiUrl, userAgent: "forge" }), undefined);

  /** A list that says its items in a member, page by page. */
  async function* pages<T>(token: string, page: z.ZodType<T>, route: string, length: (page: T) => number) {
    for (let number = 1; ; number += 1) {
      const read = await asked(token).ask(page, route, { per_page: PAGE_SIZE, page: number });
      yield read;
      if (length(read) < PAGE_SIZE) return;
    }
  }

  /** Nothing of an organisation that wants another sign-in first, or where the App is suspended. */
  async function listedIn(token: string, installation: number): Promise<[number, ListedRepository][]> {
    const found: [number, ListedRepository][] = [];
    const route = `GET /user/installations/${installation}/repositories`;
    try {
      for await (const page of pages(token, Repositories, route, (each) => each.repositories.length)) {
        for (const { id, full_name: fullName, permissions = {} } of page.repositories) {
          const permission = roleFrom(permissions);
          if (permission !== "none") found.push([id, { fullName, permission, installationId: installation }]);
        }
      }
      return found;
    } catch (error) {
      const cause = error instanceof GitHubCallFailed && !isOfToken(error) ? error.failure.cause : undefined;
      if (cause === "forbidden" || cause === "gone") return [];
      throw error;
    }
  }

  async function repositoriesOf(token: string): Promise<ReadonlyMap<number, ListedRepository>> {
    const found = new Map<number, ListedRepository>();
    const all = pages(token, Installations, "GET /user/installations", (page) => page.installations.length);
    for await (const { installations } of all) {
      for (const { id } of installations) {
        for (const [repository, listed] of await listedIn(token, id)) found.set(repository, listed);
      }
    }
    return found;
  }

  return {
    signInAddress: ({ callback, state, challenge, login }) => {
      const address = new URL("/login/oauth/authorize", origin);
      address.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: callback,
        state,
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...defined({ login }),
      }).toString();
      return address.href;
    },
    tokenFor: ({ code, callback, verifier }) =>
      asPerson(async () => {
        const exchanged = await asked().ask(Exchanged, `POST ${origin}/login/oauth/access_token`, {
          headers: { accept: "application/json" },
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uri: callback,
          code_verifier: verifier,
          code,
        });
        if ("access_token" in exchanged) return exchanged.access_token;
        if (exchanged.error === "bad_verification_code") return undefined;
        throw new ForgeError("sign_in_refused", `GitHub refuses to sign people in to this App: ${exchanged.error}.`, {
          source: "permission",
          recoverability: "manual",
        });
      }),
    whoIs: (token) => asPerson(() => asked(token).ask(User, "GET /user")),
    repositoriesOf: (token) => asPerson(() => repositoriesOf(token)),
    comment: (token, subject, body) =>
      asPerson(async () => {
        const { owner, name } = subject.repository;
        const route = `POST /repos/{owner}/{repo}/issues/{issue_number}/comments`;
        const place = { owner, repo: name, issue_number: numberOf(subject) };
        await asked(token).ask(z.object({ id: z.number() }), route, { ...place, body });
      }),
  };
}

async function asPerson<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof GitHubCallFailed)) throw error;
    const { cause, message } = error.failure;
    const facts = { source: "permission", recoverability: "manual", cause: error } as const;
    if (isOfToken(error)) {
      throw new ForgeError("sign_in_ended", `GitHub does not take the sign-in any more: ${message}`, facts);
    }
    if (cause === "forbidden" || cause === "gone" || cause === "refused") {
      throw new ForgeError("github_refused", `GitHub refused this: ${message}`, facts);
    }
    throw new ForgeError("github_unavailable", `GitHub did not answer: ${message}`, { ...facts, source: "network" });
  }
}

/** 401 is said of the token; 403 of what was asked with it, such as a comment on a locked conversation. */
function isOfToken({ cause }: GitHubCallFailed): boolean {
  return cause instanceof Error && "status" in cause && cause.status === 401;
}
