import { posix } from "node:path";

export interface EnvironmentFault {
  readonly kind: "packages" | "program" | "network" | "service" | "disk" | "write" | "memory" | "processes";
  /** A sentence. Names in it are the repository's: data. */
  readonly cause: string;
}

export interface EnvironmentFacts {
  /** Packages that the manifest names. What it does not name and is imported all the same is a fault of the code. */
  readonly packages: ReadonlySet<string>;
  /** Files of the repository: what is missing of them is no package. */
  readonly paths: ReadonlySet<string>;
}

type Find = (text: string, facts: EnvironmentFacts) => EnvironmentFault | undefined;

const PROGRAM_MISSING =
  /^prlimit: failed to execute ([\w./+-]{1,100}): No such file|(?:spawn|exec)\w{0,10} ([\w./+-]{1,100}) ENOENT|(?:^|: )([\w./+-]{1,100}): (?:command )?not found$|No such file or directory: '([\w.+-]{1,100})'$|exec: "([\w./+-]{1,100})": executable file not found/m;
const NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)\b|Temporary failure in name resolution|Network is unreachable|Name or service not known|UnknownHostException|dial tcp: lookup |Could not resolve host|failed to lookup address information/;
/** Ports of databases, queues and search servers, which somebody has to start before the tests. */
const SERVICE =
  /(?:ECONNREFUSED|[Cc]onnection refused).{0,200}?\b(5432|3306|1433|1521|6379|11211|27017|9200|5672|9092|4222)\b|\b(?:localhost|127\.0\.0\.1|::1)[:" ,port]{1,12}(5432|3306|1433|1521|6379|11211|27017|9200|5672|9092|4222)\b.{0,200}?(?:ECONNREFUSED|[Cc]onnection refused)/;
const DISK = /\bENOSPC\b|No space left on device|\bEDQUOT\b|Disk quota exceeded/;
const READ_ONLY = /\bEROFS\b|[Rr]ead-only file system/;
const DENIED =
  /(?:EACCES|EPERM)[^\n]{0,80}?'(\/[^'\n]{1,300})'|PermissionError: \[Errno 13\][^\n]{0,40}?'(\/[^'\n]{1,300})'/;
const MEMORY =
  /JavaScript heap out of memory|java\.lang\.OutOfMemoryError|Cannot allocate memory|\bENOMEM\b|memory allocation of \d{1,20} bytes failed|cannot allocate memory/;
const PROCESSES =
  /\bspawn\w{0,20} [^\n]{1,100} EAGAIN|can't start new thread|Resource temporarily unavailable|pthread_create failed|unable to create (?:new )?native thread/;
const BROWSER = /Executable doesn't exist at |Failed to launch the browser process|Could not find Chrome|chromedriver/;

const DOCKER = /Cannot connect to the Docker daemon|Could not find a valid Docker environment/;

const FINDERS: readonly Find[] = [
  missingPackage,
  (text) => (DOCKER.test(text) ? { kind: "service", cause: "It needs Docker, which is not there." } : undefined),
  (text) => (BROWSER.test(text) ? { kind: "program", cause: "It needs a browser, which is not there." } : undefined),
  (text) => {
    const [, ...names] = PROGRAM_MISSING.exec(text) ?? [];
    const name = names.find((each) => each !== undefined);
    return name === undefined
      ? undefined
      : { kind: "program", cause: `It needs the program ${posix.basename(name)}, which is not there.` };
  },
  (text) =>
    NETWORK.test(text) ? { kind: "network", cause: "It needs the network, which tests do not get." } : undefined,
  (text) => {
    const [, before, after] = SERVICE.exec(text) ?? [];
    const port = before ?? after;
    return port === undefined
      ? undefined
      : { kind: "service", cause: `It needs a service at port ${port}, which is not running.` };
  },
  (text) => (DISK.test(text) ? { kind: "disk", cause: "It needs more disk than tests get." } : undefined),
  (text) => {
    const [, node, python] = DENIED.exec(text) ?? [];
    const path = node ?? python;
    const outside = READ_ONLY.test(text) || (path !== undefined && !/^\/(?:box|tmp)(?:\/|$)/.test(path));
    return outside ? { kind: "write", cause: "It writes outside the repository, which is refused." } : undefined;
  },
  (text) => (MEMORY.test(text) ? { kind: "memory", cause: "It needs more memory than tests get." } : undefined),
  (text) =>
    PROCESSES.test(text) ? { kind: "processes", cause: "It starts more processes than tests get." } : undefined,
];

/** What a failure says about the place where the tests run, and not about the code; undefined where it says nothing of that kind. */
export function findEnvironmentFault(message: string, facts: EnvironmentFacts): EnvironmentFault | undefined {
  for (const find of FINDERS) {
    const fault = find(message, facts);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const MISSING_SCRIPT =
  /Cannot find (?:package|module) ['"]([^'"\n]{1,214})['"]|Failed to resolve import "([^"\n]{1,214})"/;
const MISSING_PYTHON =
  /ModuleNotFoundError: No module named '([\w.]{1,200})'|^\S{0,200}python3?: No module named ([\w.]{1,200})$/m;
const MISSING_ELSEWHERE =
  /no required module provides package (\S{1,200})|no matching package named `([^`\n]{1,200})` found|Could not (?:find artifact|resolve) ([\w.:-]{1,200})|failed to (?:download|get) `([^`\n]{1,200})`|Plugin (\S{1,200}) or one of its dependencies could not be resolved/;

function missingPackage(text: string, { packages, paths }: EnvironmentFacts): EnvironmentFault | undefined {
  const missing = (name: string): EnvironmentFault => ({
    kind: "packages",
    cause: `The package ${name} is not installed.`,
  });
  const [, script, resolved] = MISSING_SCRIPT.exec(text) ?? [];
  const specifier = script ?? resolved;
  if (specifier !== undefined && !/^(?:[./~#]|file:|@\/|node:)/.test(specifier)) {
    const name = specifier
      .split("/")
      .slice(0, specifier.startsWith("@") ? 2 : 1)
      .join("/");
    return packages.has(name) ? missing(name) : undefined;
  }
  const [, python, runner] = MISSING_PYTHON.exec(text) ?? [];
  const top = (python ?? runner)?.split(".")[0];
  if (top !== undefined) {
    const own = [...paths].some(
      (path) => path === `${top}.py` || path.startsWith(`${top}/`) || path.startsWith(`src/${top}`),
    );
    return own ? undefined : missing(top);
  }
  const elsewhere = MISSING_ELSEWHERE.exec(text)
    ?.slice(1)
    .find((name) => name !== undefined);
  return elsewhere === undefined ? undefined : missing(elsewhere);
}
