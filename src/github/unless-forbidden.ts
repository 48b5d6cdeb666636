import { ForgeError } from "../domain/errors.ts";

/** For `catch`: undefined where the App was not given the permission for what is asked, which then has to do without it. */
export function unlessForbidden(error: unknown): undefined {
  if (error instanceof ForgeError && error.code === "github_forbidden") return;
  throw error;
}
