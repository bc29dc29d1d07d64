import { defineConfig } from 'vitest/config'
import { FlakyReporter } from './support/flaky-reporter.ts'

/** Suites that take long, of browsers, killed processes and whole services: `npm run test:long` runs them. */
const long = [
  'test/conformance/**',
  'test/fuzz/**',
  'test/run/{killed,start,roles,lost-subgraphs}.test.ts',
  'test/events/moving-readers.test.ts',
  'test/graph/differential.test.ts',
  'test/sessions/ended.test.ts',
  'test/webhooks/{failing,isolation,rotation}.test.ts',
  'test/link/pages/{accessible,walking,checking,embedded}.test.ts',
  'test/ifta/breadcrumbs.test.ts',
  'test/link/walks/**',
  'test/sdk/{browser,day,linked,restarted,session,types}.test.ts',
  'test/connections/life/{forgotten,revoked,public-tokens}.test.ts',
  'test/providers/oauth/**',
  'test/providers/{traccar,samsara,geotab,motive}/failures.test.ts',
  'test/providers/synced.test.ts',
  'test/providers/corrected-months.test.ts',
  'test/providers/{samsara,motive}/long-faults.test.ts',
  'test/providers/samsara/{shifting,synced,renewal,edited-logs}.test.ts',
  'test/providers/geotab/{feeds,taken-back}.test.ts',
  'test/providers/passing/**',
  'test/provider-webhooks/{hints,service}.test.ts',
  'test/sync/renormalize.test.ts',
  'test/secrets/{whole-life,no-query}.test.ts',
]
const runsLong = process.env['TEST_LONG'] !== undefined

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
    include: runsLong
      ? long.map((path) => (path.endsWith('.ts') ? path : `${path}/*.test.ts`))
      : ['test/**/*.test.ts'],
    exclude: runsLong ? [] : [...long, '**/node_modules/**'],
    setupFiles: ['test/support/fresh-connections.ts'],
    globalSetup: ['test/support/global-setup.ts', 'test/support/chromium.ts'],
    // So long only what hangs takes, also on a machine that is given little of its processors.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 3,
    // Importing the modules anew for each file would cost more than its tests do.
    isolate: false,
    // Where a change lands it is not refused by chance; what passed only the second time is listed at the end.
    retry: process.env['CI'] ? 1 : 0,
    reporters: ['default', new FlakyReporter()],
    silent: 'passed-only',
  },
})
