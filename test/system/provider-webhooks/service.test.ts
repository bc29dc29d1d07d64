import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runInProcess } from '../../support/harnesses/cli-harness.ts'
import { makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'
import { post } from '../../support/harnesses/provider-webhooks-harness.ts'

const SECRET = 'one-that-the-provider-signs-with'
const BODY = '{"type":"vehicle"}'

const signed = (secret: string) => ({
  'x-sandbox-signature': createHmac('sha256', secret).update(BODY).digest('hex'),
})

test.each(stores)(
  'an operator adds a webhook to a running service, and it triggers a sync, on %s',
  async (store) => {
    const home = await makeHome(store)
    onTestFinished(() => home.remove())
    await using service = await ServiceProcess.start(home, ['--fleet-size', '2'], { DEMO: 'on' })
    const db = await home.open()
    onTestFinished(() => db.close())
    const { connectionId } = service.ready
    const cli = async (...args: string[]) => {
      const given = ['--json', 'connections', ...args, connectionId]
      const { code, out, error } = await runInProcess(home, home.environment, given)
      expect([args, code, error]).toEqual([args, 0, expect.any(String)])
      return { printed: out === '' ? {} : (JSON.parse(out) as Record<string, string>), error }
    }

    const first = await cli('provider-webhook')
    expect(first.error).toContain('--secret-file')
    const address = new URL(String(first.printed['url']))
    const url = new URL(address.pathname, service.ready.url).href
    expect(await post(url, BODY, signed(SECRET))).toBe(403)
    const file = join(home.folder, 'secret.txt')
    await writeFile(file, `${SECRET}\n`)
    const second = await cli('provider-webhook', '--secret-file', file)
    expect(second).toEqual({ printed: first.printed, error: '' })

    const before = await vi.waitUntil(
      async () => {
        const found = await syncs()
        return found.length > 0 && found.every(({ status }) => status === 'completed') && found
      },
      { timeout: 60_000 },
    )
    expect(await post(url, BODY, signed('another'))).toBe(403)
    expect(await post(url, BODY, signed(SECRET))).toBe(200)
    await vi.waitUntil(async () => (await syncs()).length > before.length, { timeout: 60_000 })
    const [row] = await db.rows<{ syncedAt: unknown }>('SELECT `syncedAt` FROM `provider_webhooks`')
    expect(Number(row?.syncedAt)).toBeGreaterThan(0)

    await cli('remove-provider-webhook')
    expect(await post(url, BODY, signed(SECRET))).toBe(404)
    expect(service.output()).not.toContain(address.pathname.split('/').at(-1))
    await service.end()

    function syncs(): Promise<{ status: string }[]> {
      return db.rows('SELECT `status` FROM `syncs`')
    }
  },
  180_000,
)
