import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A model that answers at once: each reply calls the tool `look` with a number that was never seen before. It reads a request to its end
 * and parses nothing, so that what is measured is the loop and its client.
 */
let replies = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    replies += 1;
    const message = {
      id: `msg_${replies}`,
      type: "message",
      role: "assistant",
      model: "bench-model",
      content: [
        { type: "text", text: "I look at the next part, because the one before told of it." },
        { type: "tool_use", id: `toolu_${replies}`, name: "look", input: { part: replies } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 40, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    };
    const body = JSON.stringify(message);
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit(0));
