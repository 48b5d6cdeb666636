import type { Delivery } from "../log-records.ts";
import type { App, Installation } from "../records.ts";
import type { World } from "../world.ts";
import { userShape } from "./account.ts";
import { nodeId } from "./addresses.ts";

export function appShape(world: World, app: App) {
  return {
    id: app.appId,
    client_id: app.clientId,
    slug: app.slug,
    node_id: nodeId("A", app.appId),
    owner: userShape(world, app.owner),
    name: app.name,
    description: "",
    external_url: `${world.origin}/apps/${app.slug}`,
    html_url: `${world.origin}/apps/${app.slug}`,
    created_at: app.createdAt,
    updated_at: app.createdAt,
    permissions: app.permissions,
    events: app.events,
  };
}

export function installationShape(world: World, installation: Installation) {
  const { app, account } = installation;
  return {
    id: installation.id,
    client_id: app.clientId,
    account: userShape(world, account),
    repository_selection: installation.repositoryIds ? "selected" : "all",
    access_tokens_url: `${world.origin}/api/v3/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${world.origin}/api/v3/installation/repositories`,
    html_url: `${world.origin}/organizations/${account.login}/settings/installations/${installation.id}`,
    app_id: app.appId,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: installation.accepted ?? app.permissions,
    events: app.events,
    created_at: installation.createdAt,
    updated_at: installation.createdAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: installation.suspendedAt ? userShape(world, account) : null,
    suspended_at: installation.suspendedAt,
  };
}

export function deliveryShape(delivery: Delivery) {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.deliveredAt,
    redelivery: delivery.redelivery,
    duration: delivery.duration,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  };
}

export function fullDeliveryShape(delivery: Delivery) {
  return {
    ...deliveryShape(delivery),
    url: delivery.app.webhookUrl,
    request: {
      headers: { "X-GitHub-Delivery": delivery.guid, "X-GitHub-Event": delivery.event },
      payload: delivery.payload,
    },
    response: { headers: null, payload: delivery.response },
  };
}
