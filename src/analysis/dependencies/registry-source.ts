import { defined } from "../../domain/defined.ts";
import { trimEndOf } from "../../domain/trim-characters.ts";
import type { Ecosystem, PackageName, RegistryAnswer, RegistrySource } from "./advisory-source.ts";
import { ADVISORY_LIMITS } from "./ask-service.ts";
import { createMemoryCache } from "./memory-cache.ts";
import { REGISTRY_QUESTIONS } from "./registry-questions.ts";

/** Addresses of registries, without a path of a package. */
export type RegistryAddresses = Readonly<Partial<Record<Ecosystem, string>>>;

/** Names of one change that are asked about: more are a new project. */
export const MOST_NAMES = 500;
const CACHE = { entries: 20_000, lifeMs: 3_600_000 };

/** Asks registries whether they have a name. Only the name is sent, and of an answer only its status is read; it is kept for an hour. */
export function createRegistrySource(addresses: RegistryAddresses, now: () => number = Date.now): RegistrySource {
  const answers = createMemoryCache<boolean>(CACHE, now);

  async function query(names: readonly PackageName[], signal: AbortSignal): Promise<RegistryAnswer> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ADVISORY_LIMITS.totalMs)]);
    const failures = new Map<Ecosystem, string>();
    const queue = names.slice(0, MOST_NAMES);
    const work = async () => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        if (failures.has(one.ecosystem)) continue;
        const failed = await learn(one, limited);
        if (failed !== undefined) failures.set(one.ecosystem, failed);
      }
    };
    await Promise.all(Array.from({ length: ADVISORY_LIMITS.concurrency }, work));
    const absent = names.filter((one) => answers.get(keyOf(one)) === false);
    // A proxy that refuses everything, or an address that is wrong, must not make every package a finding.
    for (const ecosystem of new Set(absent.map((one) => one.ecosystem))) {
      const control = { ecosystem, name: REGISTRY_QUESTIONS[ecosystem]!.known };
      const failed = await learn(control, limited);
      if (failed === undefined && answers.get(keyOf(control))) continue;
      failures.set(ecosystem, failed ?? `it does not know ${control.name} either`);
    }
    const isOpen = (one: PackageName) => failures.has(one.ecosystem) && answers.get(keyOf(one)) !== true;
    const why = [...failures].map(([ecosystem, failed]) => `the registry of ${ecosystem} gave no answer (${failed})`);
    return {
      missing: absent.filter((one) => !isOpen(one)),
      unanswered: names.slice(0, MOST_NAMES).filter(isOpen),
      ...defined({ unchecked: why.length > 0 ? why.join(", ") : undefined }),
    };
  }

  /** @returns why it is not known now */
  async function learn(one: PackageName, signal: AbortSignal): Promise<string | undefined> {
    if (answers.get(keyOf(one)) !== undefined) return undefined;
    const address = trimEndOf(addresses[one.ecosystem]!, "/");
    const status = await statusOf(`${address}${REGISTRY_QUESTIONS[one.ecosystem]!.path(one.name)}`, signal);
    if (typeof status === "string") return status;
    if (status !== 200 && status !== 404 && status !== 410) return `status ${status}`;
    answers.set(keyOf(one), status === 200);
    return undefined;
  }

  const ecosystems = (Object.keys(addresses) as Ecosystem[]).filter((one) => REGISTRY_QUESTIONS[one] !== undefined);
  return { ecosystems, query };
}

/** No redirects: the address is configured, and what is sent goes nowhere else. */
async function statusOf(url: string, signal: AbortSignal): Promise<number | string> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ADVISORY_LIMITS.requestMs)]);
  try {
    const response = await fetch(url, { signal: limited, redirect: "error" });
    await response.body?.cancel();
    return response.status;
  } catch {
    if (signal.aborted) return "the time for all requests was over";
    return limited.aborted ? `no answer within ${ADVISORY_LIMITS.requestMs / 1000} s` : "it could not be reached";
  }
}

function keyOf({ ecosystem, name }: PackageName): string {
  return `${ecosystem}\0${name}`;
}
