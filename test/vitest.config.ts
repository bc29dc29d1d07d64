import { defineConfig } from 'vitest/config'
import { FlakyReporter } from './support/runner/flaky-reporter.ts'

const globalSetup = ['test/support/runner/global-setup.ts', 'test/support/runner/chromium.ts']

export default defineConfig({
  resolve: {
    // Without the alias Vite loads graphql twice, and a schema of one copy is invalid in the other.
    alias: [
      { find: /^graphql$/, replacement: 'graphql/index.js' },
      // The examples import the client by its package name.
      { find: /^@odograph\/client$/, replacement: new URL('../sdk/src/index.ts', import.meta.url).pathname },
    ],
  },
  test: {
    root: new URL('..', import.meta.url).pathname,
    // The folder of a test is its tier; docs/contributing.md describes what each tier may use.
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup,
          // The reporter lists the tests that pass only at the second attempt.
          retry: process.env['CI'] ? 1 : 0,
        },
      },
      { extends: true, test: { name: 'system', include: ['test/system/**/*.test.ts'], globalSetup } },
    ],
    setupFiles: ['test/support/runner/fresh-connections.ts'],
    // Only a hanging test takes this long, even on a slow machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 3,
    // An import of all modules for each file takes longer than its tests.
    isolate: false,
    reporters: ['default', new FlakyReporter()],
    silent: 'passed-only',
  },
})
