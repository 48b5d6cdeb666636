import { CASES, OF_EACH_KIND } from "./bad-replies.ts";
import { tryReplies } from "./try-replies.ts";

tryReplies(Object.keys(CASES).filter((name) => !OF_EACH_KIND.includes(name)));
