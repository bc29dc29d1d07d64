import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'

let home: Home
beforeEach(async () => (home = await makeHome('sqlite')))
afterEach(() => home.remove())

/** Starts a service that runs some code on SIGUSR2, outside of any error handler. */
const startWith = (code: string) =>
  ServiceProcess.start(home, ['--fleet-size', '1'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${code} })`)}`,
    DRAIN_SECONDS: '3',
  })

test.each([
  ['an exception', "setImmediate(() => { throw new Error('planted') })", 'uncaughtException'],
  ['a rejection', "void Promise.reject(new Error('planted'))", 'unhandledRejection'],
])('%s without a handler is logged, drains and ends the process with 1', async (_, code, origin) => {
  await using service = await startWith(code)
  const ended = once(service.child, 'exit')
  service.child.kill('SIGUSR2')
  const { url, restUrl } = service.ready
  while ((await fetch(`${url}/readyz`)).status !== 503);
  expect((await fetch(`${restUrl}/openapi.json`)).status).toBe(200)
  expect(await ended).toEqual([1, null])
  const fatal = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level }) => level === 60)
  expect(fatal).toEqual([
    expect.objectContaining({ origin, err: expect.objectContaining({ message: 'planted' }) }),
  ])
})
