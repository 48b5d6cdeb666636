import OpenAI, { type APIError } from "openai";

/**
 * The SDK's client, which also reads errors of servers that do not wrap them: vLLM says `{ "object": "error", "message": … }`. The SDK's
 * version 7 does this by itself; it needs Node 22, is three times as large, and has nothing else that is used here.
 */
export class OpenAIClient extends OpenAI {
  protected override makeStatusError(...[status, body, message, headers]: StatusError): APIError {
    const isBare = typeof body === "object" && body !== null && !("error" in body && body.error != null);
    return super.makeStatusError(status, isBare ? { error: body } : body, message, headers);
  }
}

type StatusError = [status: number, body: object, message: string | undefined, headers: Headers];
