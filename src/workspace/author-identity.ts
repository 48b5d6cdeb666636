const NO_REPLY = "@users.noreply.github.com";

/**
 * Who the author of a change is. Take these from the account, never from the commits of the change: anybody can write any name there
 * and would borrow the experience of somebody else.
 */
export interface AuthorIdentity {
  /** Stands for GitHub's no-reply addresses of this login. */
  readonly login?: string;
  readonly email?: string;
  /** The author's name as it stands in commits, compared in full; names are not unique. */
  readonly name?: string;
}

/** Fixed strings of which git finds at least one in the author line of each of their commits. */
export function authorPatterns({ login, email, name }: AuthorIdentity): string[] {
  const patterns = [
    email && `<${email}>`,
    login && `<${login}${NO_REPLY}>`,
    login && `+${login}${NO_REPLY}>`,
    name && `${name} <`,
  ];
  // Git takes a line feed as the end of a pattern, and what follows as another one.
  return patterns.filter((pattern) => pattern !== undefined && pattern !== "" && !/[\n\0]/.test(pattern)) as string[];
}

/** Whether a commit with this address and name is theirs: git's search also finds longer names. */
export function isBy(author: AuthorIdentity, email: string, name: string): boolean {
  const same = (a: string | undefined, b: string) => a !== undefined && a !== "" && a.toLowerCase() === b.toLowerCase();
  return (
    same(author.email, email) ||
    same(author.login && `${author.login}${NO_REPLY}`, personOf(email)) ||
    same(author.name, name)
  );
}

/** An address as one person has it: GitHub's no-reply address of a login stands with and without the account's number. */
export function personOf(email: string): string {
  const address = email.toLowerCase();
  return address.endsWith(NO_REPLY) ? address.replace(/^\d+\+/, "") : address;
}
