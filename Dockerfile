# One image for every process: the command chooses which (api, worker, migrate).
FROM node:20.19-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY schemas schemas
COPY stages stages
COPY workers workers
COPY api api
COPY scripts scripts
COPY test/fixtures test/fixtures
COPY tsconfig.json ./
ARG GIT_COMMIT
ENV GIT_COMMIT=$GIT_COMMIT
USER node
EXPOSE 8080
# node itself is process 1, so that SIGTERM reaches the program and it drains.
CMD ["node", "--max-semi-space-size=4", "--import", "tsx/esm", "api/main.ts"]
