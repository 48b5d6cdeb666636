import { z } from "zod";

/** What somebody may do in a repository, least first, as GitHub names the roles. `write` is what people call push. */
export const ROLES = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

export function atLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
