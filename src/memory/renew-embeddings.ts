import { listOutdatedEmbeddings, setEmbeddings } from "../store/renew-embeddings.ts";
import type { Store } from "../store/store.ts";
import type { Embedder } from "./ports.ts";
import { embeddedText } from "./remember.ts";

/**
 * Embeds up to `batch` memories that have no embedding of the present method (MEM-5). Called in the background until it gives 0: how many
 * were embedded.
 * @throws what the embedder throws: nothing was changed then.
 */
export async function renewEmbeddings(
  { store, embedder }: { readonly store: Store; readonly embedder: Embedder },
  batch: number,
  signal?: AbortSignal,
): Promise<number> {
  const outdated = await listOutdatedEmbeddings(store, embedder.method, batch);
  if (outdated.length === 0) return 0;
  const vectors = await embedder.embed(outdated.map(embeddedText), signal);
  const renewed = outdated.flatMap((memory, at) => {
    const vector = vectors[at];
    return vector === undefined ? [] : [{ memory, embedding: { method: embedder.method, vector } }];
  });
  await setEmbeddings(store, renewed);
  return renewed.length;
}
