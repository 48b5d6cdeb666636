import type { FollowedMetrics } from "../learning/follow-metrics.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";
import type { Markup } from "./pages/layout.ts";
import type { Seal } from "./seal.ts";
import type { Visitor } from "./visitor.ts";

/** What a page is asked with. */
export interface PageAsked {
  readonly dependencies: DashboardDependencies;
  readonly visitor: Visitor;
  /** Repositories that the visitor may see; undefined: all of them. */
  readonly repositoryIds: readonly number[] | undefined;
  readonly now: Date;
  /** For what a form brings back that nobody may change. */
  readonly seal: Pick<Seal, "close">;
  /** Metrics of all repositories: a page shows those of `repositoryIds`. */
  readonly metrics: FollowedMetrics;
  /** A part of the path that the route names. */
  param(name: string): string;
  /** A member of the query, cut: what people look for is short. */
  query(name: string): string;
}

/** A page of this Forge for a person who is signed in. `show` gives undefined where there is none for this visitor. */
export interface PageRoute {
  /** As hono reads it. */
  readonly path: string;
  show(asked: PageAsked): Promise<ShownPage | undefined>;
}

export interface ShownPage {
  readonly title: string;
  readonly body: Markup;
  /** What of the search is filled in. */
  readonly search?: string;
  /** The run that the page is about: news of others do not change it. */
  readonly run?: string;
  /** Nothing that happens changes the page. */
  readonly isStill?: boolean;
}

/** A number of a query, such as an id of GitHub; 0 for anything else than up to 15 digits. */
export function numberIn(text: string): number {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
}
