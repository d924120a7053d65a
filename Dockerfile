# The image of a node. test/deployment compares the paths, ports, variables and health check in this file with the code.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY packages packages
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY .nvmrc tsconfig.json README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE ./
COPY scripts/setup.mjs scripts/bundle.mjs scripts/bundle-client.mjs scripts/bundle-fake-node.mjs scripts/bundle-mcp.mjs scripts/bundle-payments.mjs scripts/notices.mjs scripts/
COPY scripts/guide scripts/guide
COPY examples/verifier examples/verifier
COPY clients/python clients/python
COPY bin bin
COPY docs docs
COPY src src
COPY console console
# The package as it is published, with the dependencies that it needs to run, at the versions of the lock.
RUN npm pack --pack-destination /tmp \
  && mkdir /app \
  && tar -xzf /tmp/svc-node-*.tgz -C /app --strip-components=1 \
  && cp package-lock.json /app \
  && npm ci --prefix /app --omit=dev --ignore-scripts --no-audit --no-fund

# Debian, not Alpine: the native packages are tried with glibc, which gives each thread a heap that keeps what it has freed (MALLOC_ARENA_MAX).
FROM node:24-bookworm-slim
# Built by: docker buildx build --platform linux/amd64,linux/arm64 --build-arg REVISION=$(git rev-parse HEAD) \
#   --build-arg SOURCE=$(git remote get-url origin) --build-arg CREATED=$(date -u +%Y-%m-%dT%H:%M:%SZ) .
ARG REVISION=unknown
ARG SOURCE=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="svc-node" \
      org.opencontainers.image.description="A token ledger and agent-marketplace node" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.created="${CREATED}"
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    SVC_HOST=0.0.0.0 \
    SVC_PORT=9528 \
    SVC_DATA_DIR=/data
# A volume that is mounted here for the first time takes its owner and mode from these directories.
RUN install -d -o node -g node -m 0700 /data /data/keystore \
  && ln -s /app/bin/svc-node.mjs /usr/local/bin/svc-node
COPY --from=build /app /app
USER node
WORKDIR /data
VOLUME /data
EXPOSE 9528
# Whether the process answers. Whether it can work is /readyz, which a proxy asks.
# The certificate is for the public name, not for 127.0.0.1.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "require(process.env.SVC_TLS_CERT ? 'node:https' : 'node:http').get({ host: '127.0.0.1', port: process.env.SVC_PORT, path: '/healthz', rejectUnauthorized: false }, (reply) => process.exit(reply.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["svc-node"]
CMD ["start"]
