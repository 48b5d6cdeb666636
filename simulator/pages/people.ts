import { roleOf } from "../access/permissions.ts";
import type { Account, Reaction, Repository } from "../records.ts";
import { ROLES } from "../records.ts";
import type { World } from "../world.ts";
import { type Html, html } from "./html.ts";

export function author({ login, type }: Account): Html {
  return html`<strong>${login}</strong>${type === "Bot" && html` <span class="label">bot</span>`}`;
}

export function avatar({ login, type, id }: Account): Html {
  const shape = type === "Bot" ? "avatar bot" : "avatar";
  return html`<span class="${shape}" style="--hue: ${(id * 47) % 360}" aria-hidden="true">${login.slice(0, 1).toUpperCase()}</span>`;
}

/** "5 minutes ago" would change between two looks at the same page, and tests and screenshots with it. */
export function moment(time: string): Html {
  return html`<time datetime="${time}">${time.slice(0, 16).replace("T", " ")}</time>`;
}

/** Who presses the button next to it: everybody with an account, the most powerful in this repository first. */
export function chooser(world: World, repository: Repository): Html {
  const users = [...world.accounts.values()].filter(({ type }) => type === "User");
  const power = (account: Account) => ROLES.indexOf(roleOf(repository, account));
  const options = users
    .toSorted((one, other) => power(other) - power(one) || (one.login < other.login ? -1 : 1))
    .map((user) => html`<option value="${user.login}">${user.login} (${roleOf(repository, user)})</option>`);
  return html`<label class="as">as <select name="by">${options}</select></label>`;
}

const EMOJI: Readonly<Record<string, string>> = {
  "+1": "👍",
  "-1": "👎",
  laugh: "😄",
  confused: "😕",
  heart: "❤️",
  hooray: "🎉",
  rocket: "🚀",
  eyes: "👀",
};

export function reactions(given: readonly Reaction[]): Html {
  const contents = [...new Set(given.map(({ content }) => content))];
  const buttons = contents.map((content) => {
    const by = given.filter((each) => each.content === content).map(({ user }) => user.login);
    return html`<span class="reaction" title="${by.join(", ")}: ${content}">${EMOJI[content] ?? content} ${by.length}</span>`;
  });
  return html`${contents.length > 0 && html`<div class="reactions">${buttons}</div>`}`;
}
