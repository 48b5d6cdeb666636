import { ForgeError } from "../domain/errors.ts";

/** How one repository is reached. */
export interface RemoteAccess {
  /** Address of the repository, as `parseRemoteUrl` gave it. */
  readonly url: string;
  readonly allowHttp: boolean;
  /** Asked anew for every connection, because installation tokens live for an hour. */
  readonly token?: () => Promise<string>;
  /** Certificate authorities in PEM form, for a server with a certificate of its own. */
  readonly certificateFile?: string;
  /** `http://host:port` of the proxy to the server. */
  readonly proxyUrl?: string;
}

/**
 * The address in its normal form.
 * @throws ForgeError `remote_refused` for anything but https (or http where allowed) without user, password, query and fragment
 */
export function parseRemoteUrl(text: string, allowHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw refused("it is not a URL");
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:")) {
    throw refused(`${url.protocol} is not ${allowHttp ? "https: or http:" : "https:"}`);
  }
  if (url.username !== "" || url.password !== "") throw refused("it carries a user or a password");
  if (url.search !== "" || url.hash !== "") throw refused("it carries a query or a fragment");
  if (!/^[a-z0-9[][a-z0-9.:\]-]*$/.test(url.hostname)) throw refused("the host name is not plain");
  return url.href;
}

// The address itself stays out of the message: it may carry a password.
function refused(why: string): ForgeError {
  return new ForgeError("remote_refused", `The address of the repository is refused: ${why}.`, {
    source: "validation",
    severity: "high",
    recoverability: "none",
  });
}
