import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { closeServer } from "../../simulator/close-server.ts";

/** What goes wrong with one request: `lost`: done, but the answer never arrives; `garbled`: done, and answered with half a body. */
export type Fault =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly message?: string;
    }
  | { readonly kind: "lost" | "garbled" | "hang" };

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

interface Stored {
  id: number;
  body?: string;
  [field: string]: unknown;
}

/** The few endpoints that effects use, over real HTTP, with the rules of GitHub that matter to them. */
export interface FakeGitHub {
  readonly url: string;
  readonly requests: Recorded[];
  readonly checkRuns: (Stored & { annotations: Record<string, unknown>[] })[];
  readonly reviews: Stored[];
  readonly comments: (Stored & { review?: number })[];
  /** Asked before each request; a fault happens instead of, or around, the work. */
  fault: (request: Recorded) => Fault | undefined;
  /** Whether GitHub refuses a line comment, a file comment or an annotation. */
  refuses: (entry: Record<string, unknown>) => boolean;
  /** Writes only, as `METHOD path`, with ids left out. */
  writes(): string[];
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly data: unknown;
}

const refused = (message: string): Answer => ({ status: 422, data: { message } });

export async function startFakeGitHub(): Promise<FakeGitHub> {
  let lastId = 100;
  const github: FakeGitHub = {
    url: "",
    requests: [],
    checkRuns: [],
    reviews: [],
    comments: [],
    fault: () => undefined,
    refuses: () => false,
    writes: () =>
      github.requests
        .filter(({ method }) => method !== "GET")
        .map(({ method, path }) => `${method} ${path.replace(/^\/repos\/[^/]+\/[^/]+/, "").replace(/\/\d+/g, "")}`),
    stop: () => closeServer(server),
  };

  function handle({ method, path, body }: Recorded, query: URLSearchParams): Answer {
    const [, , , ...rest] = path.split("/").slice(1);
    const page = <T>(all: T[]): T[] => {
      const size = Number(query.get("per_page"));
      const start = (Number(query.get("page")) - 1) * size;
      return all.slice(start, start + size);
    };
    const found = <T>(all: T[], index: number, id: (item: T) => unknown) =>
      all.find((item) => String(id(item)) === rest[index]);
    switch (
      `${method} /${rest.map((part) => (/^\d+$/.test(part) ? "N" : part.length === 40 ? "S" : part)).join("/")}`
    ) {
      case "POST /check-runs":
        return writeCheckRun({ id: ++lastId, annotations: [] }, body, true);
      case "PATCH /check-runs/N": {
        const run = found(github.checkRuns, 1, ({ id }) => id);
        return run ? writeCheckRun(run, body, false) : { status: 404, data: { message: "Not Found" } };
      }
      case "GET /check-runs/N":
        return { status: 200, data: found(github.checkRuns, 1, ({ id }) => id) };
      case "GET /check-runs/N/annotations":
        return { status: 200, data: page(found(github.checkRuns, 1, ({ id }) => id)!.annotations) };
      case "GET /commits/S/check-runs": {
        const ours = github.checkRuns.filter((run) => run.head_sha === rest[1] && run.name === query.get("check_name"));
        const listed = query.get("filter") === "all" ? ours : ours.slice(-1);
        return { status: 200, data: { total_count: listed.length, check_runs: page(listed) } };
      }
      case "POST /pulls/N/reviews":
        return writeReview(body);
      case "GET /pulls/N/reviews":
        return { status: 200, data: page(github.reviews) };
      case "DELETE /pulls/N/reviews/N": {
        const review = found(github.reviews, 3, ({ id }) => id);
        if (review?.state !== "PENDING") return { status: review ? 422 : 404, data: { message: "Not Found" } };
        github.reviews.splice(github.reviews.indexOf(review), 1);
        return { status: 200, data: review };
      }
      case "GET /pulls/N/reviews/N/comments":
        return { status: 200, data: page(github.comments.filter(({ review }) => String(review) === rest[3])) };
      case "POST /pulls/N/comments": {
        if (github.refuses(body)) return refused("Validation Failed: path");
        const comment = { ...body, id: ++lastId, user: { type: "Bot" } };
        github.comments.push(comment);
        return { status: 201, data: comment };
      }
      case "GET /pulls/N/comments":
        return { status: 200, data: page(github.comments) };
      default:
        return { status: 599, data: { message: `no such endpoint: ${method} ${path}` } };
    }
  }

  function writeCheckRun(run: FakeGitHub["checkRuns"][number], body: Record<string, unknown>, create: boolean): Answer {
    const { output, ...fields } = body;
    const { annotations = [], ...texts } = (output ?? {}) as { annotations?: Record<string, unknown>[] };
    if (annotations.length > 50) return refused("more than 50 annotations");
    if (annotations.some(github.refuses)) return refused("an annotation is not valid");
    Object.assign(run, fields, { output: texts });
    run.annotations.push(...annotations);
    if (create) github.checkRuns.push(run);
    return { status: create ? 201 : 200, data: run };
  }

  function writeReview(body: Record<string, unknown>): Answer {
    const comments = body.comments as Record<string, unknown>[];
    if (github.reviews.some(({ state }) => state === "PENDING")) {
      return refused("User can only have one pending review per pull request");
    }
    if (github.refuses({ commit_id: body.commit_id })) return refused("commit_id is not part of the pull request");
    if (comments.some(github.refuses)) return refused("Unprocessable Entity: line must be part of the diff");
    const state = body.event === "COMMENT" ? "COMMENTED" : "PENDING";
    const review: Stored = {
      id: ++lastId,
      state,
      body: String(body.body),
      commit_id: body.commit_id,
      user: { type: "Bot" },
    };
    github.reviews.push(review);
    if (state === "COMMENTED") {
      for (const comment of comments) {
        github.comments.push({ ...comment, id: ++lastId, review: review.id, user: { type: "Bot" } });
      }
    }
    return { status: 200, data: review };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url!, "http://localhost");
    const text = Buffer.concat(chunks).toString();
    const recorded = { method: request.method!, path: url.pathname, body: text === "" ? {} : JSON.parse(text) };
    github.requests.push(recorded);
    const fault = github.fault(recorded);
    if (fault?.kind === "hang") return;
    if (fault?.kind === "answer") {
      response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers });
      response.end(JSON.stringify({ message: fault.message ?? "no" }));
      return;
    }
    const { status, data } = handle(recorded, url.searchParams);
    if (fault?.kind === "lost") {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { "content-type": "application/json" });
    const answer = JSON.stringify(data);
    response.end(fault?.kind === "garbled" ? answer.slice(0, answer.length / 2) : answer);
  }

  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(github, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
