import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/service-process.ts'

let home: Home
beforeEach(async () => (home = await makeHome('sqlite')))
afterEach(() => home.remove())

/** A service in which a signal sets off what no code of it catches. */
const startWith = (code: string) =>
  ServiceProcess.start(home, ['--fleet-size', '1'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${code} })`)}`,
    DRAIN_SECONDS: '3',
  })

test.each([
  ['an exception', "setImmediate(() => { throw new Error('planted') })", 'uncaughtException'],
  ['a rejection', "void Promise.reject(new Error('planted'))", 'unhandledRejection'],
])('%s that nothing catches is logged, drains and ends the process with 1', async (_, code, origin) => {
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
