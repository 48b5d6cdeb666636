/** A pull request by its name: `acme/shop#12`. */
export interface PullName {
  readonly owner: string;
  readonly name: string;
  readonly number: number;
  /** Host of GitHub, with its port, if the user named the pull request by its address. */
  readonly host?: string;
}

/** Characters of an address that Forge reads. */
const MOST_CHARACTERS = 2_000;

/** A pull request that the user named as `owner/repo#n`, or by the address of any of its pages; undefined if it is neither. */
export function pullNamed(text: string): PullName | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const [, owner, name, number] = /^([\w-]{1,39})\/([\w.-]{1,100})#([1-9]\d{0,8})$/.exec(text) ?? [];
  if (owner && name) return { owner, name, number: Number(number) };
  const address = URL.parse(text);
  if (address?.protocol !== "https:" && address?.protocol !== "http:") return undefined;
  const [, first = "", second = "", kind, third = ""] = address.pathname.split("/");
  const pull = kind === "pull" ? pullNamed(`${first}/${second}#${third}`) : undefined;
  return pull && { ...pull, host: address.host };
}
