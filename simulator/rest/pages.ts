import type { World } from "../world.ts";
import type { Call } from "./call.ts";

const USUAL_PAGE = 30;
const LARGEST_PAGE = 100;

/** One page of a list, with GitHub's Link header; things that are too new are left out while lists lag behind.
 * https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api */
export function pageOf<T>(world: World, call: Call, list: readonly T[]): T[] {
  const settled = withoutTheNewest(world, call, list);
  const size = Math.min(Number(call.req.query("per_page") ?? USUAL_PAGE), LARGEST_PAGE);
  const page = Number(call.req.query("page") ?? 1);
  const last = Math.max(1, Math.ceil(settled.length / size));
  const links = [
    ...(page > 1 ? [link(world, call, page - 1, "prev"), link(world, call, 1, "first")] : []),
    ...(page < last ? [link(world, call, page + 1, "next"), link(world, call, last, "last")] : []),
  ];
  if (links.length > 0) call.header("link", links.join(", "));
  return settled.slice((page - 1) * size, page * size);
}

function link(world: World, call: Call, page: number, relation: string): string {
  const { pathname, search } = new URL(call.req.url);
  const url = new URL(pathname + search, world.origin);
  url.searchParams.set("page", String(page));
  return `<${url}>; rel="${relation}"`;
}

function withoutTheNewest<T>(world: World, call: Call, list: readonly T[]): readonly T[] {
  const fault = world.faults.takeRequestFault(["laggingList"], call.get("facts"));
  if (!fault) return list;
  const oldest = Date.now() - (fault.ms ?? 0);
  const settledRequest = world.requests.length - (fault.requests ?? 0);
  return list.filter((each) => {
    const born = hasId(each) ? world.births.get(each.id) : undefined;
    if (!born) return true;
    const tooYoung = fault.ms !== undefined && born.at > oldest;
    const tooRecent = fault.requests !== undefined && born.request >= settledRequest;
    return !tooYoung && !tooRecent;
  });
}

function hasId(value: unknown): value is { id: number } {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "number";
}
