/** What is sent back: one small JSON object, its bytes made once. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

function jsonAnswer(
  status: number,
  content: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  const body = JSON.stringify(content);
  return {
    status,
    headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers },
    body,
  };
}

function refusal(
  status: number,
  error: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): HttpAnswer {
  return jsonAnswer(status, { error, message }, headers);
}

const HOME_TEXT = `Forge reviews pull requests and implements issues on GitHub.

Webhooks of the GitHub App go to POST /api/github/webhooks on this address.
GET /healthz answers while Forge runs, GET /readyz while it takes work.
The dashboard is off here: FORGE_URL, GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET turn it on (see .env.example).
`;
/** What the address alone shows in a browser. */
export const HOME: HttpAnswer = {
  status: 200,
  headers: {
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(HOME_TEXT),
    "x-content-type-options": "nosniff",
  },
  body: HOME_TEXT,
};
export const ACCEPTED = jsonAnswer(202, { status: "accepted" });
export const DUPLICATE = jsonAnswer(202, { status: "duplicate" });
export const ALIVE = jsonAnswer(200, { status: "ok" });
export const NOT_READY = jsonAnswer(503, { status: "not ready" }, { "retry-after": "5" });
export const NOT_FOUND = refusal(404, "not_found", "Nothing is served at this path.");
export const READ_ONLY = refusal(405, "method_not_allowed", "Only GET is answered here.", { allow: "GET, HEAD" });
export const BROKEN = refusal(500, "unexpected", "This page failed; the log of Forge says why.");

/** Every way a delivery is turned away. GitHub shows status and body in the App's list of deliveries: each says what to do. */
export const REFUSALS = {
  method_not_allowed: refusal(405, "method_not_allowed", "Webhook deliveries are POST requests.", { allow: "POST" }),
  content_type_unsupported: refusal(
    415,
    "content_type_unsupported",
    "Set the content type of the webhook to application/json in its settings; other encodings are not read.",
  ),
  delivery_id_invalid: refusal(400, "delivery_id_invalid", "X-GitHub-Delivery must be one GUID."),
  event_name_invalid: refusal(400, "event_name_invalid", "X-GitHub-Event must be the name of an event."),
  signature_missing: refusal(
    401,
    "signature_missing",
    "X-Hub-Signature-256 is missing: set a secret in the settings of the webhook, the same as WEBHOOK_SECRET of Forge.",
  ),
  signature_malformed: refusal(
    401,
    "signature_malformed",
    "X-Hub-Signature-256 must be sha256= and 64 lower-case hexadecimal digits.",
  ),
  signature_wrong: refusal(
    401,
    "signature_wrong",
    "The signature does not fit the body: the secret of the webhook and WEBHOOK_SECRET of Forge differ, or the body was changed on its way.",
  ),
  body_too_large: refusal(
    413,
    "body_too_large",
    "The body is larger than the 25 MB at which GitHub caps its payloads.",
  ),
  body_not_json: refusal(400, "body_not_json", "The body must be a JSON object."),
  body_too_slow: refusal(
    408,
    "body_too_slow",
    "The body came too slowly while others needed the memory: at least 64 kB in each second, and all of it within ten.",
  ),
  memory_full: refusal(503, "memory_full", "Too many bodies arrive at the same time. Send this one again.", {
    "retry-after": "60",
  }),
  connections_full: refusal(503, "connections_full", "Too many connections are open. Send this again.", {
    "retry-after": "10",
  }),
  storage_failed: refusal(
    503,
    "storage_failed",
    "The delivery could not be stored; the next redelivery sweep asks for it again.",
    { "retry-after": "60" },
  ),
} as const satisfies Record<string, HttpAnswer>;

/** The same of the doors for feedback from production. What is wrong with a signature is not told: the sender may be anybody. */
export const FEEDBACK_REFUSALS = {
  feedback_method: refusal(405, "method_not_allowed", "Feedback is sent by POST requests.", { allow: "POST" }),
  feedback_not_genuine: refusal(
    401,
    "not_genuine",
    "The signature or token is missing or wrong, or its time is too far from ours.",
  ),
  feedback_too_large: refusal(413, "body_too_large", "The body is larger than 1 MB."),
  feedback_not_json: refusal(400, "body_not_json", "The body must be a JSON object."),
  feedback_too_many: refusal(429, "too_many", "This door takes no more messages in this minute.", {
    "retry-after": "60",
  }),
  feedback_not_stored: refusal(503, "storage_failed", "The message could not be stored in time: send it again.", {
    "retry-after": "10",
  }),
} as const satisfies Record<string, HttpAnswer>;

export type RefusalReason = keyof typeof REFUSALS;
export type FeedbackRefusal = keyof typeof FEEDBACK_REFUSALS;
