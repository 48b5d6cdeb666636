// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of other languages

import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { commands } from "../../src/analysis/analysers/commands.ts";
import { patterns } from "../../src/analysis/analysers/patterns.ts";
import { secrets } from "../../src/analysis/analysers/secrets.ts";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import { DEFINITION_RULES } from "../../src/analysis/patterns/definitions/rules.ts";
import { findLineStarts, placeOf } from "../../src/analysis/source-file.ts";
import { analyse, readerContext, sourceFile } from "./change-of.ts";

const read = findInsecureCode();
const resultOf = (text: string, kind: "docker" | "serverless") =>
  read(
    kind === "docker" ? { id: 0, text, language: "Dockerfile" } : { id: 0, text, dialect: "yaml", language: "YAML" },
  );

/** `line rule severity` of what is found. */
const found = (text: string, kind: "docker" | "serverless" = "docker") => {
  const result = resultOf(text, kind);
  if ("unread" in result) return [result.unread];
  const starts = findLineStarts(text);
  return result.hits.map(({ rule, severity, from }) => `${placeOf(starts, from).line} ${rule} ${severity}`);
};
const kindOf = (id: string) => (id.startsWith("docker/") ? "docker" : "serverless");
const rulesOf = async (analyser: typeof patterns, path: string, text: string) => {
  const context = readerContext();
  const file = sourceFile(path, text);
  return analyser.appliesTo(file) ? (await analyser.analyse([file], context)).observations.map(({ rule }) => rule) : [];
};

describe("the tables of definitions", () => {
  it("REV-6: every row finds its wrong example and is silent about its right one", () => {
    for (const { id, wrong, right, severity } of DEFINITION_RULES.settings) {
      expect(found(wrong, kindOf(id)).join(), `${id}\n${wrong}`).toContain(` ${id} ${severity}`);
      expect(found(right, kindOf(id)), `${id}\n${right}`).toEqual([]);
    }
  });

  it("REV-6: a suggestion mends its wrong example", () => {
    const mended = DEFINITION_RULES.settings.filter(({ fix }) => fix !== undefined);
    expect(mended.length).toBeGreaterThan(4);
    for (const { id, wrong } of mended) {
      const result = resultOf(wrong, kindOf(id));
      const edit = "hits" in result ? result.hits.find(({ rule }) => rule === id)?.fix : undefined;
      const text = `${wrong.slice(0, edit?.from)}${edit?.text}${wrong.slice(edit?.to)}`;
      expect(parseDocument(text).errors, text).toEqual([]);
      expect(found(text, kindOf(id)), `${id}\n${text}`).toEqual([]);
    }
  });
});

describe("insecure Dockerfiles", () => {
  it.each([
    ["a long line", "FROM a\nRUN apt-get update \\\n  && curl -k https://a.example/x -o /x \\\n  && ls\n", 3],
    ["comments and empty lines in it", "FROM a\nRUN ls && \\\n  # why\n\n  curl -k https://a.example/x\n", 5],
    ["a list of words", 'FROM a\nRUN ["curl", "-k", "https://a.example/x"]\n', 2],
    ["a text of its own", "FROM a\nRUN <<EOF\nset -e\ncurl -k https://a.example/x\nEOF\nRUN ls\n", 4],
    ["what a later image runs", "FROM a\nONBUILD RUN curl -k https://a.example/x\n", 2],
    ["another mark for long lines", "# escape=`\nFROM a\nRUN ls && `\n  curl -k https://a.example/x\n", 4],
    ["ends of lines as Windows has them", "FROM a\r\nRUN ls && \\\r\n  curl -k https://a.example/x\r\n", 3],
    ["small letters", "from a\nrun curl --insecure https://a.example/x\n", 2],
  ])("REV-6: is found on its line in %s", (_, text, line) => {
    expect(found(text)).toEqual([`${line} docker/unchecked-certificate warning`]);
  });

  it.each([
    ["text of a file that is written", "FROM a\nCOPY <<EOF /run.md\ncurl -k https://a.example/x\nEOF\n"],
    ["a comment", "FROM a\n# RUN curl -k https://a.example/x\n"],
    ["the program's own port", "FROM a\nRUN curl -k https://localhost:8443/ready\n"],
    ["a check of health", "FROM a\nHEALTHCHECK CMD curl -kf https://localhost/ || exit 1\n"],
    ["an option with a k in its value", "FROM a\nRUN curl -o kernel.tar.gz --key a.pem https://a.example/kernel-k\n"],
    ["a sticky folder", "FROM a\nRUN mkdir /data && chmod 1777 /data && chmod -R 1777 /go\n"],
    ["root before the user", "FROM a\nUSER root\nRUN apt-get update\nUSER node\n"],
    ["root in a stage that is not the last", "FROM a AS b\nUSER node\nUSER root\nFROM c\nUSER node\n"],
    ["root after the user of another stage", "FROM a AS b\nUSER node\nFROM c\nUSER root\n"],
    ["root alone", "FROM a\nUSER root\n"],
    ["root that gives itself up", 'FROM a\nUSER app\nUSER root\nENTRYPOINT ["gosu", "app", "run"]\n'],
    ["a password of the environment", 'FROM a\nARG P\nRUN echo "app:$P" | chpasswd && useradd -p "$P" x\n'],
    ["an account without a password", "FROM a\nRUN adduser --disabled-password --gecos '' app && useradd -p '*' b\n"],
    ["a key of another stage", "FROM a AS b\nFROM c\nCOPY --from=b /root/.ssh/id_rsa /k\n"],
    [
      "sshd that keeps root out",
      "FROM a\nRUN sed -i 's/PermitRootLogin yes/PermitRootLogin no/' /etc/ssh/sshd_config\n",
    ],
    ["a number that is called a token", "FROM a\nARG TOKENIZER=1\nARG TOKEN_URL\nENV TOKENS=5\n"],
  ])("REV-6: %s is silent", (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it("REV-6: says which user stood before only of the last one in the last stage", () => {
    expect(found("FROM a\nUSER node\nUSER root\n")).toEqual(["3 docker/root-again warning"]);
    expect(found("FROM a\nUSER node\nUSER 0:0\nCMD x\n")).toEqual(["3 docker/root-again warning"]);
    expect(found("FROM a\nUSER node\nUSER root\nUSER node\n")).toEqual([]);
  });

  it("REV-6: ordinary Dockerfiles are silent", () => {
    for (const text of ORDINARY) expect(found(text), text).toEqual([]);
  });

  it("REV-6: secrets that stand in one, and downloads that are run, are told by those who look for them", async () => {
    const text = 'FROM a\nENV DB_PASSWORD="Tr0ub4dor&3xK"\nRUN curl -fsSL https://a.example/x | sh\n';
    expect(await rulesOf(secrets, "Dockerfile", text)).toHaveLength(1);
    expect(await rulesOf(commands, "Dockerfile", text)).toEqual(["commands/download-run"]);
    expect(await rulesOf(patterns, "Dockerfile", text)).toEqual([]);
  });

  it("REV-6: the commands in one are still named as read by nobody", async () => {
    const { observations, coverage } = await analyse({ "web/Dockerfile": "FROM a\nRUN chmod -R 777 /app\n" });
    expect(observations).toMatchObject([
      {
        ...{ rule: "patterns/docker/writable-by-all", severity: "warning", line: 2, source: "security" },
        message: "Anyone in the container can change this.",
      },
    ]);
    expect(coverage.searchedOnly).toEqual([{ path: "web/Dockerfile", reason: "Dockerfile" }]);
  });
});

describe("insecure definitions of clouds", () => {
  it("REV-6: are found where a file says that it is one, by its name or its content", async () => {
    const text = "Properties:\n  PubliclyAccessible: true\n";
    const template = `AWSTemplateFormatVersion: "2010-09-09"\n${text}`;
    expect(await rulesOf(patterns, "serverless.yml", text)).toEqual(["patterns/serverless/public-database"]);
    expect(await rulesOf(patterns, "api/serverless.orders.yaml", text)).toHaveLength(1);
    expect(await rulesOf(patterns, "infra/stack.yaml", template)).toHaveLength(1);
    expect(await rulesOf(patterns, "config/settings.yaml", text)).toEqual([]);
  });

  it.each([
    [
      "what a tag stands for",
      "Properties:\n  PubliclyAccessible: !Ref Public\n  StorageEncrypted: !If [A, true, false]\n",
    ],
    ["what an alias stands for", "a: &a false\nProperties:\n  StorageEncrypted: *a\n"],
    ["another kind of value", 'Properties:\n  PubliclyAccessible: "no"\n  StorageEncrypted: null\n'],
    ["a right of one action", "- Effect: Allow\n  Action: [s3:GetObject, s3:PutObject]\n  Resource: '*'\n"],
    ["a prohibition", "- Effect: Deny\n  Action: '*'\n  Resource: '*'\n  Principal: '*'\n"],
    [
      "everybody under a condition",
      "- Effect: Allow\n  Action: sqs:SendMessage\n  Principal: '*'\n  Condition: {a: b}\n",
    ],
    ["a public page", "- Effect: Allow\n  Action: s3:GetObject\n  Principal: '*'\n"],
    ["a web server", "- FromPort: 443\n  CidrIp: 0.0.0.0/0\n"],
    ["a request before the request", "HttpMethod: OPTIONS\nAuthorizationType: NONE\n"],
    ["names of objects", "__proto__: {constructor: true}\nhasOwnProperty: 1\n"],
  ])("REV-6: %s is silent", (_, text) => {
    expect(found(text, "serverless")).toEqual([]);
  });

  it("REV-6: one function without an authoriser is told beside those that have one, and not among its like", () => {
    const event = (path: string) => `- http: { path: ${path}, method: delete }\n`;
    expect(found(`${event("orders")}- http:\n    authorizer: aws_iam\n`, "serverless")).toEqual([
      "1 serverless/left-out info",
    ]);
    expect(found(`${event("webhooks/payment")}- http:\n    authorizer: aws_iam\n`, "serverless")).toEqual([]);
    expect(found(event("orders"), "serverless")).toEqual([]);
  });
});

describe("hostile definitions", () => {
  it("what does not parse, or is too large, says so", () => {
    expect(found("a: [", "serverless")).toEqual(["it does not parse"]);
    expect(found(`a: ${"b".repeat(300_001)}`, "serverless")).toEqual(["larger than 300 KB"]);
    expect(found("", "serverless")).toEqual([]);
  });

  it("nests, aliases of aliases and odd characters end", () => {
    const bomb = `a: &a [x]\n${Array.from({ length: 60 }, (_, at) => `b${at}: &b${at} [*a, *a]`).join("\n")}\n`;
    for (const text of [bomb, `${"[".repeat(2_000)}${"]".repeat(2_000)}`, "- ".repeat(5_000), "\0\uffff"])
      expect(Array.isArray(found(text, "serverless")), text.slice(0, 20)).toBe(true);
    for (const text of [`RUN ${"[".repeat(50_000)}`, "RUN <<A <<B\n", "RUN \\", 'ENV A="', "USER\n", "ONBUILD\n", "\0"])
      expect(Array.isArray(found(text)), text.slice(0, 20)).toBe(true);
  });
});

/** As official images, and as people write them for Node, Python, Go, Java and web servers. */
const ORDINARY = [
  `FROM node:22-alpine AS build
WORKDIR /app
COPY package*.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:22-alpine
ENV NODE_ENV=production PORT=3000
WORKDIR /app
COPY --from=build --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/dist ./dist
USER node
EXPOSE 3000
CMD ["node", "dist/server.js"]
`,
  `FROM debian:bookworm-slim
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
ENV NODE_VERSION=22.11.0
RUN set -ex \\
  && for key in \\
    4ED778F539E3634C779C87C6D7062848A1AB005C \\
  ; do \\
    gpg --batch --keyserver hkps://keys.openpgp.org --recv-keys "$key" || \\
    gpg --batch --keyserver keyserver.ubuntu.com --recv-keys "$key" ; \\
  done \\
  && curl -fsSLO --compressed "https://nodejs.org/dist/v$NODE_VERSION/node-v$NODE_VERSION-linux-x64.tar.xz" \\
  && curl -fsSLO --compressed "https://nodejs.org/dist/v$NODE_VERSION/SHASUMS256.txt.asc" \\
  && gpg --batch --decrypt --output SHASUMS256.txt SHASUMS256.txt.asc \\
  && grep " node-v$NODE_VERSION-linux-x64.tar.xz\\$" SHASUMS256.txt | sha256sum -c - \\
  && tar -xJf "node-v$NODE_VERSION-linux-x64.tar.xz" -C /usr/local --strip-components=1 --no-same-owner
COPY docker-entrypoint.sh /usr/local/bin/
ENTRYPOINT ["docker-entrypoint.sh"]
CMD [ "node" ]
`,
  `FROM debian:bookworm-slim
RUN set -eux; groupadd -r postgres --gid=999; useradd -r -g postgres --uid=999 --home-dir=/var/lib/postgresql postgres
ENV GOSU_VERSION 1.17
RUN set -eux; \\
	dpkgArch="$(dpkg --print-architecture | awk -F- '{ print $NF }')"; \\
	wget -O /usr/local/bin/gosu "https://github.com/tianon/gosu/releases/download/$GOSU_VERSION/gosu-$dpkgArch"; \\
	wget -O /usr/local/bin/gosu.asc "https://github.com/tianon/gosu/releases/download/$GOSU_VERSION/gosu-$dpkgArch.asc"; \\
	gpg --batch --verify /usr/local/bin/gosu.asc /usr/local/bin/gosu; \\
	chmod +x /usr/local/bin/gosu
ENV PGDATA /var/lib/postgresql/data
RUN install --verbose --directory --owner postgres --group postgres --mode 3777 /var/run/postgresql; \\
	mkdir -p "$PGDATA" && chown -R postgres:postgres "$PGDATA" && chmod 1777 "$PGDATA"
VOLUME /var/lib/postgresql/data
STOPSIGNAL SIGINT
EXPOSE 5432
CMD ["postgres"]
`,
  `FROM python:3.12-slim
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1
WORKDIR /app
RUN apt-get update && apt-get install -y --no-install-recommends gcc && rm -rf /var/lib/apt/lists/*
COPY requirements.txt .
RUN pip install -r requirements.txt
RUN adduser --disabled-password --gecos "" --uid 10001 app && chown -R app /app
COPY --chown=app . .
USER app
HEALTHCHECK --interval=30s CMD curl -f http://localhost:8000/health || exit 1
CMD ["uvicorn", "app.main:app", "--host", "0.0.0.0"]
`,
  `FROM golang:1.23 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -ldflags "-s -w -X main.version=$VERSION" -o /bin/app ./cmd/app
FROM gcr.io/distroless/static:nonroot
COPY --from=build /bin/app /app
ENTRYPOINT ["/app"]
`,
  `FROM eclipse-temurin:21-jre
RUN addgroup --system spring && adduser --system --ingroup spring spring
USER spring:spring
ARG JAR_FILE=target/*.jar
COPY \${JAR_FILE} app.jar
ENTRYPOINT ["java","-jar","/app.jar"]
`,
  `FROM nginx:1.27-alpine
RUN rm /etc/nginx/conf.d/default.conf && touch /var/run/nginx.pid && chown -R nginx:nginx /var/run/nginx.pid /var/cache/nginx
COPY nginx.conf /etc/nginx/nginx.conf
COPY --chmod=644 site /usr/share/nginx/html
USER nginx
EXPOSE 8080
`,
];
