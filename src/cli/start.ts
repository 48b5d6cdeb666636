import { EXIT, oneOf, parseOptions } from "./dispatch.ts";

export const ROLES = ["both", "web", "worker"] as const;
export type Role = (typeof ROLES)[number];

export interface Running {
  /** Takes no more work, gives back what is not done within the grace time (OPS-3). */
  stop(): Promise<void>;
}

/** Starts Forge and stays until a signal; a second signal ends it at once, which is safe at any moment (PIPE-7). */
export async function runStart(args: readonly string[], start: (role: Role) => Promise<Running>): Promise<number> {
  const role = readRole(args);
  const running = await start(role);
  await firstSignal();
  const impatient = firstSignal().then(() => process.exit(EXIT.failed));
  await Promise.race([running.stop(), impatient]);
  return EXIT.ok;
}

function readRole(args: readonly string[]): Role {
  const { role } = parseOptions(args, { options: { role: { type: "string", default: "both" } } }).values;
  return oneOf("--role", ROLES, role);
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    const hear = () => {
      process.off("SIGTERM", hear).off("SIGINT", hear);
      resolve();
    };
    process.on("SIGTERM", hear).on("SIGINT", hear);
  });
}
