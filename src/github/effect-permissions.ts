import type { StoredEffect } from "../store/read-effects.ts";
import {
  CHECK_PERMISSIONS,
  ISSUE_PERMISSIONS,
  PULL_PERMISSIONS,
  READY_PERMISSIONS,
  REVIEW_PERMISSIONS,
} from "./app-client.ts";
import type { TaskPermissions } from "./scoped-tokens.ts";

/** The least that an effect needs (SEC-2): where the App lacks one of the permissions, what needs the others is still written. */
export function permissionsFor({ kind, subject }: Pick<StoredEffect, "kind" | "subject">): TaskPermissions {
  if (kind.startsWith("check.")) return CHECK_PERMISSIONS;
  if (kind === "pull.ready") return READY_PERMISSIONS;
  if (kind === "pull.open" || kind === "pull.describe") return PULL_PERMISSIONS;
  return subject.kind === "issue" ? ISSUE_PERMISSIONS : REVIEW_PERMISSIONS;
}
