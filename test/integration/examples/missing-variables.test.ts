import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Ended {
  readonly code: number | string | null | undefined
  readonly error: string
}

/** Runs an example without the variables that it needs, until it ends. */
const run = (name: string, environment: Readonly<Record<string, string>>): Promise<Ended> =>
  new Promise((done) => {
    const program = join(process.cwd(), 'test/examples', name)
    const env = { PATH: process.env['PATH'], PORT: '0', ...environment }
    execFile(process.execPath, [program], { env }, (failed, _out, error) =>
      done({ code: failed?.code, error }),
    )
  })

test.each([
  ['live-page.js', {}, 'Set SECRET_KEY and CONNECTION_TOKEN.\n'],
  ['live-page.js', { SECRET_KEY: 'sk_x', CONNECTION_TOKEN: '' }, 'Set CONNECTION_TOKEN.\n'],
  ['webhook-receiver.js', {}, 'Set WEBHOOK_SECRET.\n'],
  ['fuel-purchases.js', {}, 'Set SUBGRAPH_SECRET.\n'],
])('%s with %o names what is missing, and ends', async (name, environment, error) => {
  expect(await run(name, environment)).toEqual({ code: 1, error })
})
