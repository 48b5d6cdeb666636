import { tryReading } from "./try-reading.ts";

tryReading({ long: false });
