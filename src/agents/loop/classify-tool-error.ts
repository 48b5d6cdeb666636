import { ForgeError } from "../../domain/errors.ts";
import { ToolFailure } from "../../tools/tool.ts";

/** What a tool threw, as the loop acts on it and as the model reads it. */
export interface ToolError {
  readonly kind: "network" | "timeout" | "tool" | "permission" | "validation" | "stopped" | "unknown";
  readonly code: string;
  readonly message: string;
}

const NETWORK_CODES =
  /^(?:ECONN(?:RESET|REFUSED|ABORTED)|ENOTFOUND|EAI_AGAIN|EPIPE|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_\w+)$/;
const PERMISSION_CODES = /^(?:EACCES|EPERM|EROFS)$/;

/**
 * The text of an error goes to the model only where it was written for it; anything else may tell what is none of its business (paths
 * of this machine, addresses, secrets).
 */
export function classifyToolError(thrown: unknown): ToolError {
  if (thrown instanceof ToolFailure) return { kind: "tool", code: thrown.code, message: thrown.message };
  if (thrown instanceof ForgeError) return ofForge(thrown);
  const code = findCode(thrown);
  if (NETWORK_CODES.test(code)) return { kind: "network", code, message: `The network failed (${code}).` };
  if (PERMISSION_CODES.test(code)) return { kind: "permission", code, message: `Not permitted (${code}).` };
  return { kind: "unknown", code: "unexpected", message: "The tool failed unexpectedly." };
}

function ofForge({ source, code, message }: ForgeError): ToolError {
  if (source === "network" || source === "timeout" || source === "permission" || source === "validation") {
    return { kind: source, code, message };
  }
  return { kind: "tool", code, message };
}

/** The first system code on the way down the causes. */
function findCode(thrown: unknown): string {
  let error = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error; depth += 1) {
    const code = (error as { code?: unknown }).code;
    if (typeof code === "string" && (NETWORK_CODES.test(code) || PERMISSION_CODES.test(code))) return code;
    error = error.cause;
  }
  return "";
}
