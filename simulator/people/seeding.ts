// What a demo or test puts into the simulator before anything happens.
import { randomBytes } from "node:crypto";
import { type NewApp, registerApp } from "../actions/installations.ts";
import { createRepository as makeRepository } from "../actions/repositories.ts";
import { commitOn } from "../actions/write-refs.ts";
import type { FileContent } from "../git/commits.ts";
import type { Account, AccountType, App, Protection, Repository, Role } from "../records.ts";
import { fullName, nextId, requireAccount, requireRepository, type World } from "../world.ts";

export interface AccountExtra {
  readonly name?: string;
  readonly email?: string;
  /** Members of an organization by login. */
  readonly members?: Readonly<Record<string, "member" | "admin">>;
}

export interface RepositoryOptions {
  /** Default true. */
  readonly private?: boolean;
  /** Default "main". */
  readonly defaultBranch?: string;
  /** Become the first commit of the default branch; without them the repository is empty. */
  readonly files?: Readonly<Record<string, FileContent>>;
  readonly collaborators?: Readonly<Record<string, Role>>;
}

export function seeding(world: World) {
  function createAccount(login: string, type: AccountType = "User", extra: AccountExtra = {}): Account {
    const account: Account = {
      id: nextId(world),
      login,
      type,
      email: extra.email ?? `${login}@example.com`,
      name: extra.name ?? null,
      members: new Map(Object.entries(extra.members ?? {})),
    };
    world.accounts.set(login.toLowerCase(), account);
    return account;
  }

  /** A classic token of that user, for REST and for git. */
  function createUserToken(login: string): string {
    const token = `ghp_${randomBytes(18).toString("hex")}`;
    world.tokens.set(token, { kind: "user", user: requireAccount(world, login) });
    return token;
  }

  async function createRepository(owner: string, name: string, options: RepositoryOptions = {}): Promise<Repository> {
    const account = requireAccount(world, owner);
    const defaultBranch = options.defaultBranch ?? "main";
    const { private: isPrivate = true, collaborators = {} } = options;
    const repository = await makeRepository(world, account, name, {
      private: isPrivate,
      defaultBranch,
      collaborators,
      source: null,
    });
    if (options.files)
      await commitOn(world, repository, defaultBranch, {
        files: options.files,
        message: "Initial commit",
        author: account,
      });
    return repository;
  }

  /** The fork has the same name under the other account. */
  async function fork(ownerRepo: string, byLogin: string): Promise<Repository> {
    const source = requireRepository(world, ownerRepo);
    const { name, defaultBranch } = source;
    const options = { private: source.private, defaultBranch, collaborators: {}, source };
    return makeRepository(world, requireAccount(world, byLogin), name, options);
  }

  /** Its bot is "<slug>[bot]". `owner` is who registered it: a new account when left out. */
  function createApp(wanted: NewApp & { readonly owner?: string }): App {
    const { owner, ...app } = wanted;
    const registrant = owner === undefined ? createAccount(`${app.slug}-owner`) : requireAccount(world, owner);
    const email = `${app.appId}+${app.slug}[bot]@users.noreply.github.com`;
    return registerApp(world, registrant, createAccount(`${app.slug}[bot]`, "Bot", { email }), app);
  }

  /** From now on the branch asks for these checks before anything is merged into it or pushed to it with git or through the
   * API, and with `requiresPull` takes no such push at all. `commit` and `moveBranch` go past it. */
  function protectBranch(ownerRepo: string, branch: string, protection: Partial<Protection>): void {
    const { requiredChecks = [], requiresPull = false, ...more } = protection;
    requireRepository(world, ownerRepo).protections.set(branch, { requiredChecks, requiresPull, ...more });
  }

  /** A role of null takes the collaborator away. */
  function setRole(ownerRepo: string, login: string, role: Role | null): void {
    const { collaborators } = requireRepository(world, ownerRepo);
    if (role) collaborators.set(requireAccount(world, login).login.toLowerCase(), role);
    else collaborators.delete(login.toLowerCase());
  }

  /** Absolute path of the bare repository on this machine, to look into with git. */
  function gitDirectory(ownerRepo: string): string {
    return requireRepository(world, ownerRepo).directory;
  }

  /** Address to clone from; a token goes in as the password of any user name. */
  function cloneUrl(ownerRepo: string): string {
    return `${world.origin}/${fullName(requireRepository(world, ownerRepo))}.git`;
  }

  return {
    createAccount,
    createUserToken,
    createRepository,
    fork,
    createApp,
    protectBranch,
    setRole,
    gitDirectory,
    cloneUrl,
  };
}
