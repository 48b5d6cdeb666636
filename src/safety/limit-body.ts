/**
 * An answer whose body ends with an error once more than `mostBytes` came: nothing is gathered beyond that.
 * @param came hears of each piece
 */
export function limitBody(response: Response, mostBytes: number, came: () => void = () => undefined): Response {
  if (!response.body) return response;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      came();
      bytes += piece.byteLength;
      if (bytes > mostBytes) controller.error(new Error(`The answer is larger than ${mostBytes / 1024 / 1024} MB.`));
      else controller.enqueue(piece);
    },
  });
  const { status, statusText, headers, url } = response;
  const limited = new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  return Object.defineProperty(limited, "url", { value: url });
}
