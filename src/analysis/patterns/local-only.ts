/** Functions whose answer nobody outside has a word in, or which only make something. */
export function isLocalOnly(path: string, last: string): boolean {
  return (
    /^(?:Math|Date|Number|Boolean|Symbol|BigInt|performance|Object\.(?:create|getPrototypeOf)|crypto|console|setTimeout|setInterval|clearTimeout|require|os|express|koa|fastify|hono|path|util|uuid|nanoid|ulid|React|react|vue|jest|vitest|chai)\b/.test(
      path,
    ) ||
    /^(?:randomUUID|randomBytes|now|uuid|v4|nanoid|getElementById|querySelector|createElement|createServer|get[A-Z]\w*Id)$/.test(
      last,
    )
  );
}
