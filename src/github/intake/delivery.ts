/** One webhook delivery whose signature was right, as it came in. */
export interface Delivery {
  /** `X-GitHub-Delivery` in lower case: the same for every redelivery of the same happening. */
  readonly guid: string;
  /** `X-GitHub-Event`, for instance `pull_request`. */
  readonly event: string;
  /** `X-GitHub-Hook-Installation-Target-ID`: for the webhook of an App, the App's id. */
  readonly hookTargetId?: string;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** The raw bytes that were signed. They are a JSON object, of which nothing was kept yet. Their memory is used again after the answer. */
  readonly body: Buffer;
}

/**
 * Takes a delivery for good: must resolve only when it would survive a crash, with `duplicate` when its GUID was taken before, and must
 * reject when it cannot be kept. GitHub is answered by what this says.
 */
export type AcceptDelivery = (delivery: Delivery) => Promise<"accepted" | "duplicate">;
