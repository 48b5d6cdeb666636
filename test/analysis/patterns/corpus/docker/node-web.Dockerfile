FROM node:22-alpine AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# right: CWE-295 the registry's certificate is checked
RUN npm ci --omit=dev
# wrong: CWE-295 npm checks no certificate from here on
RUN npm config set strict-ssl false && npm install -g @shop/cli
# wrong: CWE-295 Node checks no certificate in the whole image
ENV NODE_TLS_REJECT_UNAUTHORIZED=0
# right: CWE-295 an own authority beside the usual ones
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/shop-ca.pem

FROM node:22-alpine AS build
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY . .
# wrong: CWE-538 the token stays in the history of the image
ARG NPM_TOKEN
# right: CWE-538 a number of the build is no secret
ARG BUILD_NUMBER
# right: CWE-538 the token is mounted for one command
RUN --mount=type=secret,id=npm_token NPM_TOKEN=$(cat /run/secrets/npm_token) npm run build
# wrong: CWE-538 a private key becomes part of the image
COPY deploy/id_rsa /root/.ssh/id_rsa
# right: CWE-538 a public key may be read by anybody
COPY deploy/id_ed25519.pub /home/node/.ssh/authorized_keys
# wrong: CWE-250 the step runs without the walls of the builder
RUN --security=insecure npm run build:native
# right: CWE-250 a cache of the builder is no way out
RUN --mount=type=cache,target=/root/.npm npm run build:assets

FROM node:22-alpine
ENV NODE_ENV=production
WORKDIR /app
USER root
# right: CWE-250 root installs, and the program runs as node
RUN apk add --no-cache tini
COPY --from=build --chown=node:node /app/dist ./dist
# wrong: CWE-732 copied so that everybody may change it
COPY --chmod=777 scripts/entrypoint.sh /entrypoint.sh
# right: CWE-732 everybody may run it, nobody but root changes it
COPY --chmod=755 scripts/health.sh /health.sh
# right: CWE-250 the last word is a user without rights
USER node
# right: CWE-295 asks itself, inside of the container
HEALTHCHECK CMD curl -kf https://localhost:3000/health || exit 1
ENTRYPOINT ["/sbin/tini", "--", "/entrypoint.sh"]
CMD ["node", "dist/server.js"]
