/** Somebody with a browser: it keeps cookies by host, follows nothing by itself, and says where a request comes from. */
export interface Person {
  readonly cookies: Map<string, string>;
  get(address: string): Promise<Response>;
  head(address: string): Promise<Response>;
  /** A form of the page itself, unless headers say otherwise. */
  post(
    address: string,
    form: Readonly<Record<string, string>> | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** By the pages of both, as somebody clicks through them. Returns where it leads in the end. */
  signIn(login: string, path?: string): Promise<string>;
  /** To GitHub and its button, and not back: the address that would be opened next. */
  agree(login: string, path?: string): Promise<string>;
}

export function createPerson(home: string): Person {
  const cookies = new Map<string, string>();

  async function send(address: string, init: RequestInit): Promise<Response> {
    const url = new URL(address, home);
    const headers = new Headers(init.headers);
    if (url.origin === home) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of url.origin === home ? response.headers.getSetCookie() : []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async function agree(login: string, path = "/"): Promise<string> {
    const asked = await send(`/auth/login?return_to=${encodeURIComponent(path)}`, {});
    const page = asked.headers.get("location") ?? "";
    const agreed = await send(page, { method: "POST", body: new URLSearchParams({ as: login }) });
    return agreed.headers.get("location") ?? "";
  }

  return {
    cookies,
    agree,
    get: (address) => send(address, {}),
    head: (address) => send(address, { method: "HEAD" }),
    post: (address, form, headers = { "sec-fetch-site": "same-origin" }) =>
      send(address, { method: "POST", body: typeof form === "string" ? form : new URLSearchParams(form), headers }),
    signIn: async (login, path) => {
      const back = await send(await agree(login, path), {});
      return back.headers.get("location") ?? `${back.status}`;
    },
  };
}

/** The value of a hidden field of a page. */
export function hidden(page: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
}
