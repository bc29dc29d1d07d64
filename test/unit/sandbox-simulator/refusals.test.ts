import { describe, expect, test } from 'vitest'
import { readOptions } from '../../../src/providers/sandbox/simulator/options.ts'
import { runSimulator } from '../../support/simulator/simulator.ts'

test.each([
  ['/vehicles', '', 401],
  ['/vehicles', 'revoked-1', 401],
  ['/nothing', 'k', 404],
  ['/locations/history?vehicleId=veh-1-zzz', 'k', 404],
  ['/vehicles?limit=0', 'k', 400],
  ['/vehicles?limit=1001', 'k', 400],
  ['/vehicles?limit=ten', 'k', 400],
  ['/vehicles?cursor=bm9wZQ', 'k', 400],
  ['/trips?since=yesterday', 'k', 400],
  ['/trips?since=2025-13-45T00:00:00Z', 'k', 400],
  ['/trips?since=2025-01-02T00:00:00Z&until=2025-01-01T00:00:00Z', 'k', 400],
  ['/ifta?fromMonth=2025-13', 'k', 400],
  ['/ifta?fromMonth=2025-03&toMonth=2025-02', 'k', 400],
  ['/hos/logs?driverId=drv-1-zzz', 'k', 404],
  ['/safety-events/evt-1-0-0-9/media', 'sandbox-50-1', 404],
  ['/safety-events/nonsense/media', 'k', 404],
  ['/vehicles/one/media', 'k', 404],
  ['/clips/clip-1-0-0-0-0.avi', '', 403],
  ['/control/requests', 'k', 404],
])('%s with key "%s" returns %i', async (path, key, status) => {
  await using simulator = await runSimulator()
  const response = await simulator.get(path, key)
  expect(response.status).toBe(status)
  expect(response.body).toEqual({ error: { code: expect.any(String), message: expect.any(String) } })
})

test('the echo returns the request without the key', async () => {
  await using simulator = await runSimulator()
  const response = await fetch(`${simulator.origin}/echo?deep=1`, {
    method: 'POST',
    headers: { authorization: 'Bearer k', 'x-trace': '7', 'content-type': 'application/json' },
    body: '{"hello":["world"]}',
  })
  const body = (await response.json()) as { headers: Record<string, string> }
  expect(body).toMatchObject({
    method: 'POST',
    path: '/echo?deep=1',
    headers: { 'x-trace': '7' },
    body: { hello: ['world'] },
  })
  expect(body.headers).not.toHaveProperty('authorization')
  expect((await fetch(`${simulator.origin}/echo`, { method: 'POST' })).status).toBe(401)
})

test('a cursor is valid only for its list', async () => {
  await using simulator = await runSimulator()
  const { body } = await simulator.get('/vehicles?limit=1')
  expect((await simulator.get(`/drivers?cursor=${body.cursor}`)).status).toBe(400)
})

test('a key over its rate limit gets a Retry-After header, and other keys are not limited', async () => {
  await using simulator = await runSimulator({ ratePerSecond: 5 })
  const responses = await Promise.all(Array.from({ length: 8 }, () => simulator.get('/account', 'busy')))
  const refused = responses.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(2)
  const wait = Number(refused[0]!.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(0.2)
  expect((await simulator.get('/account', 'quiet')).status).toBe(200)
  await new Promise((resolve) => setTimeout(resolve, wait * 1000 + 20))
  expect((await simulator.get('/account', 'busy')).status).toBe(200)
})

describe('the command line', () => {
  test('is parsed', () => {
    expect(readOptions(['--port', '8080', '--fleet-size=7', '--rate-per-second', '0.5'])).toEqual({
      port: 8080,
      host: '127.0.0.1',
      fleetSize: 7,
      seed: 1,
      ratePerSecond: 0.5,
      windowSeconds: 1,
      accountBudget: 0,
      totalBudget: 0,
      latencyMs: 0,
      tokenSeconds: 3600,
      refreshGraceSeconds: 30,
      keepsReusedConsent: false,
      redirectPrefix: '',
      controls: false,
    })
    expect(readOptions(['--help'])).toBe('help')
  })

  test('is refused with all its problems', () => {
    expect(readOptions(['--port', 'x', '--fleet-size', '0', '--colour', 'red', '--host'])).toEqual({
      problems: [
        'unknown option --colour',
        'unexpected argument red',
        '--host needs a value',
        '--port must be a whole number from 0 to 65535',
        '--fleet-size must be a whole number from 1 to 100000',
      ],
    })
  })
})
