import { ForgeError } from "../../domain/errors.ts";

/** The sandbox itself could not be set up or ended; nothing is said about the program. */
export function sandboxFailed(reason: string, cause?: unknown): ForgeError {
  return new ForgeError("sandbox_failed", `The sandbox could not be used: ${reason}`, {
    source: "resource",
    severity: "high",
    recoverability: "manual",
    cause,
  });
}
