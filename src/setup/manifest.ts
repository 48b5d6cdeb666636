import { INSTALLED_PATH } from "../dashboard/installed-path.ts";
import { CALLBACK_PATH } from "../dashboard/sign-in.ts";
import { WEBHOOK_PATH } from "../github/intake/http-server.ts";
import { type AppUse, NEEDED } from "../github/permissions.ts";
import { type Place, urlsOf } from "./place.ts";

/** Of what is served while Forge is set up. */
export const SETUP_PATH = "/set-up";
export const REGISTERED_PATH = "/set-up/registered";
export const MODEL_PATH = "/set-up/model";

/** Where the form is sent to, with what came back as it went. */
export function registrationAddress(place: Place, state: string): string {
  const owner = place.organization === "" ? "" : `/organizations/${place.organization}`;
  return `${urlsOf(place).origin}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`;
}

/**
 * The App as GitHub is asked to make it: https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 * `ownAddress`: of this page, to which the browser comes back.
 */
export function manifestOf({ address, forwarder }: Place, ownAddress: string, use: AppUse): object {
  return {
    // Unique among all Apps of that GitHub; whoever registers it may write another on GitHub's page.
    name: `forge-${new URL(address).hostname.replace(/[^a-z0-9]+/gi, "-")}`.slice(0, 34).replace(/-+$/, ""),
    url: address,
    description: "Implements issues and reviews pull requests. Self-hosted.",
    public: false,
    hook_attributes: { url: forwarder ?? `${address}${WEBHOOK_PATH}`, active: true },
    redirect_url: `${ownAddress}${REGISTERED_PATH}`,
    setup_url: `${address}${INSTALLED_PATH}`,
    callback_urls: [`${address}${CALLBACK_PATH}`],
    default_permissions: NEEDED[use].permissions,
    default_events: NEEDED[use].events,
  };
}
