import type { Account } from "../records.ts";
import type { World } from "../world.ts";
import { nodeId } from "./addresses.ts";

export function userShape(world: World, account: Account) {
  const login = encodeURIComponent(account.login);
  const api = `${world.origin}/api/v3/users/${login}`;
  const page = account.type === "Bot" ? `apps/${account.login.replace("[bot]", "")}` : login;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type === "Bot" ? "BOT" : "U", account.id),
    avatar_url: `${world.origin}/avatars/u/${account.id}`,
    gravatar_id: "",
    url: api,
    html_url: `${world.origin}/${page}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: account.type,
    user_view_type: "public",
    site_admin: false,
  };
}

export function publicUserShape(world: World, account: Account) {
  return {
    ...userShape(world, account),
    name: account.name,
    company: null,
    blog: null,
    location: null,
    email: account.email,
    hireable: null,
    bio: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: "2020-01-01T00:00:00Z",
    updated_at: "2020-01-01T00:00:00Z",
  };
}

export function organizationShape(world: World, account: Account) {
  const api = `${world.origin}/api/v3/orgs/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId("O", account.id),
    url: api,
    repos_url: `${api}/repos`,
    events_url: `${api}/events`,
    hooks_url: `${api}/hooks`,
    issues_url: `${api}/issues`,
    members_url: `${api}/members{/member}`,
    public_members_url: `${api}/public_members{/member}`,
    avatar_url: `${world.origin}/avatars/u/${account.id}`,
    description: "",
  };
}
