// GitHub's answers to a request that it does not carry out.

export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly errors: readonly unknown[] | null;

  constructor(status: number, message: string, errors: readonly unknown[] | null = null) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

export function notFound(message = "Not Found"): Problem {
  return new Problem(404, message);
}

export function forbidden(message: string): Problem {
  return new Problem(403, message);
}

/** 422 with a list of resource, field and code. */
export function validationFailed(error: { resource: string; field?: string; code: string; message?: string }): Problem {
  return new Problem(422, "Validation Failed", [error]);
}

/** 422 as reviews and their comments answer: sentences only. */
export function unprocessable(sentence: string): Problem {
  return new Problem(422, "Unprocessable Entity", [sentence]);
}

/** Bodies of issues, comments and reviews end at 65,536 characters. No page says so, the answer does:
 * https://github.com/telia-oss/github-pr-resource/issues/259 */
const LONGEST_BODY = 65_536;

/** What GitHub says of a body that is too long; null when it is not. */
export function lengthProblem(body: string | null | undefined): string | null {
  return (body ?? "").length > LONGEST_BODY ? `body is too long (maximum is ${LONGEST_BODY} characters)` : null;
}

export function checkBody(resource: string, body: string | null | undefined): void {
  const message = lengthProblem(body);
  if (!message) return;
  // comments of a conversation answer in words of their own
  if (resource === "IssueComment")
    throw validationFailed({
      resource,
      code: "unprocessable",
      field: "data",
      message: message.replace("body", "Body"),
    });
  throw validationFailed({ resource, code: "custom", field: "body", message });
}
