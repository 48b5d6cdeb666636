import { registerHooks } from "node:module";

/*
 * To find out what kind a module is, Node parses the exports map of its package again for each module of it. That of Drizzle has 130,000
 * characters and we load more than a hundred modules of it: half a second at each start. Its modules name each other by file, so that the
 * map says nothing about them. To be imported before anything that imports Drizzle.
 */
registerHooks({
  resolve(specifier, context, next) {
    const from = context.parentURL;
    if (!specifier.startsWith(".") || !from?.includes("/node_modules/drizzle-orm/")) return next(specifier, context);
    return { url: new URL(specifier, from).href, format: "module", shortCircuit: true };
  },
});
