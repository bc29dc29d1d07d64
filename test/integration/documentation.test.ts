import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../prove/support/service-process.ts'
import { codeBlocks } from '../support/documentation.ts'
import { firstSyncEnds } from '../support/first-sync.ts'

/** Returns false for a block with a placeholder, which cannot run. */
const isRunnable = (code: string) => !/…|\bexample\.com\b/.test(code)

describe('every example of the documentation works unchanged:', () => {
  let home: Home
  let service: ServiceProcess

  beforeAll(async () => {
    home = await makeHome('sqlite')
    service = await ServiceProcess.start(home, ['--fleet-size', '10'], { WEBHOOK_ALLOW: '127.0.0.1' })
    await firstSyncEnds(service)
  })

  afterAll(async () => {
    await service.end('SIGKILL')
    await home.remove()
  })

  const environment = () => ({
    ...process.env,
    SECRET_KEY: service.ready.secretKey,
    CONNECTION_TOKEN: service.ready.connectionToken,
  })
  const withServiceHost = (code: string) => {
    const { host } = new URL(service.ready.url)
    return code.replaceAll(/(?:127\.0\.0\.1|localhost):8080/g, host)
  }

  const calls = codeBlocks('sh').filter(([, code]) => /^\s*curl /.test(code) && isRunnable(code))

  test.each(calls)('%s: %s', async (_, code) => {
    const { stdout } = await promisify(execFile)('sh', ['-ec', withServiceHost(code)], { env: environment() })
    const answer = JSON.parse(stdout) as { readonly errors?: unknown; readonly message?: unknown }
    expect([answer.errors, answer.message]).toEqual([undefined, undefined])
  })

  const subscriptions = codeBlocks('js').filter(
    ([, code]) => code.includes('client.iterate') && isRunnable(code),
  )

  test.each(subscriptions)('%s: %s', async (_, code) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', withServiceHost(code)], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill('SIGKILL')
    expect(() => JSON.parse(line.toString().split('\n')[0] ?? '')).not.toThrow()
  })

  test('the documentation has calls and a subscription', () => {
    expect(calls.length).toBeGreaterThan(2)
    expect(subscriptions.length).toBeGreaterThan(0)
  })
})
