import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createEmbeddingRequest } from "../../src/llm/request-embeddings.ts";
import { endpointEmbedder } from "../../src/memory/endpoint-embedding.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** An endpoint that gives each text its length, last one first. */
async function serve(status = 200) {
  const asked: { path: string | undefined; body: { input: string[] } & Record<string, unknown> }[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    asked.push({ path: request.url, body });
    const data = body.input.map((each: string, index: number) => ({
      object: "embedding",
      index,
      embedding: [each.length, 1],
    }));
    response.writeHead(status, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        object: "list",
        model: "m",
        data: data.reverse(),
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

describe("embeddings of an endpoint (MEM-5, LLM-1)", () => {
  it("come in the order of the texts, in one request", async () => {
    const { asked, baseUrl } = await serve();
    const request = createEmbeddingRequest({ baseUrl }, "m", 2);
    expect(await request(["a", "bbb"])).toEqual([
      [1, 1],
      [3, 1],
    ]);
    expect(asked).toMatchObject([{ path: "/v1/embeddings", body: { model: "m", dimensions: 2, input: ["a", "bbb"] } }]);
  });

  it("that fail are one sentence, without the key, and are not asked for again", async () => {
    const { asked, baseUrl } = await serve(500);
    const request = createEmbeddingRequest({ baseUrl, apiKey: "a-key-for-tests-only" }, "m", 2);
    const embed = endpointEmbedder({ model: "m", dimensions: 2, request }).embed(["a"]);
    await expect(embed).rejects.toMatchObject({
      code: "embedding_failed",
      message: expect.not.stringContaining("a-key"),
    });
    expect(asked).toHaveLength(1);
  });
});
