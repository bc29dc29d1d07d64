FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci
COPY src src
COPY rest-compat rest-compat
COPY bench bench
COPY dashboard dashboard
COPY test test
COPY docs docs
COPY deploy deploy
COPY schema schema
COPY README.md CHANGELOG.md SECURITY.md ./
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist/src dist/src
COPY --from=build /app/dist/rest-compat dist/rest-compat
COPY --from=build /app/dist/pages dist/pages
COPY --from=build /app/dist/dashboard dist/dashboard
COPY --from=build /app/dist/guides dist/guides
RUN mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["node", "dist/src/main.js"]
