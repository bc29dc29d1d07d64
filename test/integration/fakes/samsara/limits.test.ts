import { expect, test } from 'vitest'
import { Budgets } from '../../../fakes/samsara/http/budgets.ts'
import { Refusal } from '../../../fakes/samsara/http/call.ts'
import { runSamsara } from '../../../fakes/samsara/harness.ts'

const perSecond = (requests: number) => ({ name: 'GET /trips', requests, perSeconds: 1 })

function refusalOf(spend: () => void): Refusal | null {
  try {
    spend()
    return null
  } catch (error) {
    return error as Refusal
  }
}

test('a budget limits the requests per second, with a fractional Retry-After', () => {
  let now = 1000
  const budgets = new Budgets(() => now)
  const trySpend = (organization = 1) => refusalOf(() => budgets.spend(organization, 'token', perSecond(2)))
  expect(trySpend()).toBeNull()
  now += 597.65
  expect(trySpend()).toBeNull()
  const refused = trySpend()
  expect([refused?.status, refused?.headers]).toEqual([429, { 'retry-after': '0.40235' }])
  expect(trySpend(2)).toBeNull()
  now += 402.35
  expect(trySpend()).toBeNull()
  expect(trySpend()).toBeInstanceOf(Refusal)
  expect(budgets.report()['1 GET /trips']).toEqual({ requests: 5, refused: 2, most: 2 })
})

test('a token has 150 requests a second for all endpoints, and an organization 200 for all tokens', () => {
  const budgets = new Budgets(() => 0)
  const acceptedCount = (token: string) => {
    let count = 0
    while (!refusalOf(() => budgets.spend(1, token, null))) count++
    return count
  }
  expect([acceptedCount('one'), acceptedCount('another')]).toEqual([150, 50])
})

test('a request above a published budget gets a 429 with the published message', async () => {
  await using samsara = await runSamsara({}, { 'GET /fleet/hos/logs': 0 } as never)
  const { status, headers, body } = await samsara.get('/fleet/hos/logs')
  expect([status, body]).toEqual([429, { message: 'Exceeded rate limit.', requestId: expect.any(String) }])
  expect(headers.get('retry-after')).toMatch(/^\d+\.\d+$/)
  expect((await samsara.get('/fleet/hos/clocks')).status).toBe(200)
})
