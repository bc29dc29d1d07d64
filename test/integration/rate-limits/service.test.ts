import { expect, test } from 'vitest'
import { METRICS_TOKEN, ObservedService } from '../../support/observation/observed-service.ts'

test('the service limits rates by its settings, and counts what it refuses', async () => {
  await using observed = await ObservedService.start('sqlite', {
    RATE_LIMIT_APPLICATION: '1000000',
    RATE_LIMIT_KEY: '1000',
    RATE_LIMIT_ADDRESS: '5',
    TRUSTED_PROXIES: '127.0.0.1',
  })
  const { service } = observed
  const send = async (headers: Record<string, string>) => {
    const response = await fetch(`${service.ready.restUrl}/vehicles?limit=1`, { headers })
    await response.text()
    return response
  }
  const accepted = await send(service.headers())
  expect([accepted.status, accepted.headers.get('ratelimit-policy')]).toEqual([200, '"key";q=1000;w=60'])
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await send(service.headers())).status),
  )
  expect(statuses.filter((status) => status === 429)).not.toEqual([])

  const wrong = (at: number, address: string) => ({
    authorization: `Bearer sk_sandbox_${String(at).padStart(32, 'x')}`,
    'x-forwarded-for': address,
  })
  const wrongStatuses: number[] = []
  for (let at = 0; at < 6; at++) wrongStatuses.push((await send(wrong(at, '192.0.2.1'))).status)
  expect(wrongStatuses).toEqual([401, 401, 401, 401, 401, 429])
  expect((await send(wrong(6, '192.0.2.2'))).status).toBe(401)

  const text = await (
    await fetch(`${service.ready.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  ).text()
  const counted = [...text.matchAll(/^odograph_rate_limited_requests_total\{(.*)\} (\d+)$/gm)].map(
    ([, labels = '', count]) => [labels.replace(/app_\w+/, 'app'), Number(count)],
  )
  expect(counted).toContainEqual(['bucket="address",application="none"', 1])
  expect(counted).toContainEqual([
    'bucket="key",application="app"',
    statuses.filter((status) => status === 429).length,
  ])
})
