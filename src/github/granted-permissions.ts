import { z } from "zod";
import type { Ask } from "./ask.ts";
import type { TaskPermissions } from "./permissions.ts";

const Granted = z.object({ permissions: z.record(z.string(), z.string()) });

/** Permissions that an installation has, each with its level, such as `contents: write`. */
export type GrantedPermissions = Readonly<Record<string, string>>;

/** What people accepted for an installation. @param ask as the App itself @throws GitHubCallFailed */
export async function readGranted({ ask }: Ask, installationId: number): Promise<GrantedPermissions> {
  const { permissions } = await ask(Granted, "GET /app/installations/{installation_id}", {
    installation_id: installationId,
  });
  return permissions;
}

/** The permissions of a task that were not granted, as `contents: write`. */
export function notGranted(granted: GrantedPermissions, wanted: TaskPermissions): string[] {
  return Object.entries(wanted).flatMap(([name, level]) =>
    granted[name] === "write" || granted[name] === level ? [] : [`${name}: ${level}`],
  );
}
