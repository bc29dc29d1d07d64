import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    // Vite would load graphql a second time, as an ES module: two copies do not know each other's types.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/services.ts', 'test/browser/chromium.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    silent: 'passed-only',
  },
})
