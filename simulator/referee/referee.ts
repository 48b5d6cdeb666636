// Holds requests, answers and webhooks against GitHub's own descriptions and keeps what does not fit.
import {
  type Description,
  type FindOperation,
  type Match,
  type Operation,
  type Parameter,
  readDescription,
  type WebhookDescription,
} from "./operations.ts";
import { type Check, createCheck } from "./validators.ts";

export interface RefereeFinding {
  readonly where: "request" | "response" | "webhook";
  /** Operation id ("checks/create") or event ("pull-request-opened"). */
  readonly operation: string;
  readonly detail: string;
  /** GitHub would refuse this, or never send it. Not fatal: it would ignore it. */
  readonly fatal: boolean;
}

interface ObservedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface Referee {
  readonly findings: RefereeFinding[];
  readonly requests: number;
  /** Returns the findings that this request added. */
  checkRequest(request: ObservedRequest): RefereeFinding[];
  checkResponse(operation: Operation, status: number, body: unknown): void;
  checkWebhook(event: string, payload: Readonly<Record<string, unknown>>): void;
  /** For endpoints whose description is elsewhere: GraphQL's schema. */
  report(finding: RefereeFinding): void;
}

// Compiled schemas say the same to every referee of this process, so they are shared: compiling is what takes time.
let rest: Check | null = null;
let webhooks: { readonly description: WebhookDescription; readonly check: Check } | null = null;

export function createReferee(description: Description, find: FindOperation): Referee {
  const findings: RefereeFinding[] = [];
  let requests = 0;

  function checkRequest(request: ObservedRequest): RefereeFinding[] {
    requests += 1;
    const match = find(request.method, request.path);
    const where = "request";
    const name = match?.operation.id ?? `${request.method} ${request.path}`;
    rest ??= createCheck(description.schemas);
    const complaints = match ? complaintsOf(rest, match, request) : [fatal("no such operation is served")];
    const added = complaints.map((complaint): RefereeFinding => ({ where, operation: name, ...complaint }));
    findings.push(...added);
    return added;
  }

  function checkResponse(operation: Operation, status: number, body: unknown): void {
    const schema = operation.responses[status];
    const add = (detail: string) =>
      findings.push({ where: "response", operation: `${operation.id} ${status}`, detail, fatal: true });
    if (schema === undefined && status < 400) add("this status is not documented");
    if (!schema || body === undefined) return;
    rest ??= createCheck(description.schemas);
    const wrong = rest(`${operation.id} ${status}`, schema, body);
    if (wrong) add(wrong);
  }

  function checkWebhook(event: string, payload: Readonly<Record<string, unknown>>): void {
    webhooks ??= loadWebhooks();
    // its action is whatever the sender wrote, so GitHub describes one example
    const action = event === "repository_dispatch" ? "sample.collected" : payload.action;
    const name = [event, action].filter(Boolean).join("-").replaceAll("_", "-");
    const schema = webhooks.description.events[name];
    const wrong = schema ? webhooks.check(name, schema, payload) : "no such webhook is served";
    if (wrong) findings.push({ where: "webhook", operation: name, detail: wrong, fatal: true });
  }

  return {
    findings,
    get requests() {
      return requests;
    },
    checkRequest,
    checkResponse,
    checkWebhook,
    report: (finding) => void findings.push(finding),
  };
}

function loadWebhooks(): { description: WebhookDescription; check: Check } {
  const description = readDescription<WebhookDescription>("webhooks.json");
  return { description, check: createCheck(description.schemas) };
}

interface Complaint {
  readonly detail: string;
  readonly fatal: boolean;
}

function complaintsOf(check: Check, { operation, arguments: values }: Match, request: ObservedRequest): Complaint[] {
  const complaints: Complaint[] = [];
  for (const parameter of operation.parameters) {
    const raw = parameter.in === "path" ? values[parameter.name] : request.query.get(parameter.name);
    // "created" is described as one time, and its text says a range
    if (parameter.in === "header" || (parameter.name === "created" && raw)) continue;
    if (raw === undefined || raw === null) {
      if (parameter.required) complaints.push(fatal(`${parameter.in} ${parameter.name} is missing`));
      continue;
    }
    const wrong = check(`${operation.id} ${parameter.in} ${parameter.name}`, parameter.schema, typed(parameter, raw));
    if (wrong) complaints.push(fatal(`${parameter.in} ${parameter.name}: ${wrong}`));
  }
  const known = new Set(operation.parameters.filter((each) => each.in === "query").map((each) => each.name));
  for (const name of request.query.keys())
    if (!known.has(name)) complaints.push({ detail: `unknown query parameter ${name}`, fatal: false });
  return [...complaints, ...bodyComplaints(check, operation, request.body)];
}

function bodyComplaints(check: Check, operation: Operation, body: unknown): Complaint[] {
  const given = typeof body === "object" && body !== null ? Object.keys(body) : [];
  if (operation.body === null)
    return given.length > 0 ? [{ detail: "a body was sent to an operation without one", fatal: false }] : [];
  if (body === undefined && !operation.bodyRequired) return [];
  const wrong = check(`${operation.id} body`, operation.body, body ?? {});
  const unknown = given.filter((key) => !knownFields(operation).has(key) && knownFields(operation).size > 0);
  return [
    ...(wrong ? [fatal(`body ${wrong}`)] : []),
    ...unknown.map((key) => ({ detail: `unknown body field ${key}`, fatal: false })),
  ];
}

function knownFields({ body }: Operation): Set<string> {
  const properties = typeof body === "object" && body !== null ? body.properties : undefined;
  return new Set(typeof properties === "object" && properties !== null ? Object.keys(properties) : []);
}

/** Parameters arrive as text; the description says what they stand for. */
function typed({ schema }: Parameter, raw: string): unknown {
  const type = typeof schema === "object" ? schema.type : undefined;
  if (type === "integer" || type === "number") return Number(raw);
  if (type === "boolean") return raw === "true" ? true : raw === "false" ? false : raw;
  return type === "array" ? raw.split(",") : raw;
}

function fatal(detail: string): Complaint {
  return { detail, fatal: true };
}
