// The two logs of the simulator: webhooks that left and requests that came. Times are as in records.ts.
import type { App } from "./records.ts";

export interface Delivery {
  readonly id: number;
  /** Stays the same when the delivery is sent again. */
  readonly guid: string;
  readonly app: App;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly redelivery: boolean;
  readonly deliveredAt: string;
  /** "pending", then "OK", "Invalid HTTP Response: 500", "timed out" or "failed to connect to host". */
  status: string;
  /** HTTP status; 0 when nothing came back. */
  statusCode: number;
  /** Seconds. */
  duration: number;
  response: string;
}

export type CallerKind = "installation" | "user" | "app" | "client" | "anonymous";

export interface RecordedRequest {
  readonly sequence: number;
  readonly method: string;
  /** Without the /api/v3 prefix. */
  readonly path: string;
  readonly query: string;
  /** Operation id of GitHub's description ("checks/create"), "graphql:<field>", "git:push", "git:fetch"; null when unknown. */
  readonly operation: string | null;
  /** 0 until it was answered, and for good when the connection was cut. */
  status: number;
  readonly by: CallerKind;
  /** Login of the user or bot behind it. */
  readonly login: string | null;
  /** Only for writes. */
  readonly body?: unknown;
}
