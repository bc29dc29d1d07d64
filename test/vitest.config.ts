import { defineConfig } from 'vitest/config'
import { FlakyReporter } from './support/flaky-reporter.ts'

const globalSetup = ['test/support/global-setup.ts', 'test/support/chromium.ts']

export default defineConfig({
  resolve: {
    // Vite would load graphql a second time, as an ES module: two copies do not know each other's types.
    alias: [
      { find: /^graphql$/, replacement: 'graphql/index.js' },
      // The examples name the client as its users do.
      { find: /^@odograph\/client$/, replacement: new URL('../sdk/src/index.ts', import.meta.url).pathname },
    ],
  },
  test: {
    root: new URL('..', import.meta.url).pathname,
    // The folder of a test is its tier; docs/contributing.md says what each tier may use.
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup,
          // The reporter lists the tests that pass only the second time.
          retry: process.env['CI'] ? 1 : 0,
        },
      },
      { extends: true, test: { name: 'system', include: ['test/system/**/*.test.ts'], globalSetup } },
    ],
    setupFiles: ['test/support/fresh-connections.ts'],
    // So long only what hangs takes, also on a machine that is given little of its processors.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 3,
    // Importing all modules again for each file takes longer than its tests.
    isolate: false,
    reporters: ['default', new FlakyReporter()],
    silent: 'passed-only',
  },
})
