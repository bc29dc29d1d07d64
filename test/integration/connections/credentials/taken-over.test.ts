import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dialects } from '../../../support/factories.ts'
import { RenewalHarness } from '../../../support/providers/renewal-harness.ts'
import { gate } from '../../../support/queue/queue-harness.ts'

/** Reads of a worker after which it has surely seen the lease of the other. */
const SEVERAL_READS = 4

describe.each(dialects)('a renewal that another worker takes over, on %s', (dialect) => {
  let harness: RenewalHarness
  beforeAll(async () => {
    harness = await RenewalHarness.start(dialect)
  })
  beforeEach(() => harness.endpoint.behave())
  afterAll(() => harness[Symbol.asyncDispose]())

  test.each([
    [0, 11_000],
    [0, 30_000],
    [0, -30_000],
    [-30_000, 0],
  ])('does not happen early if the clocks are %i and %i ms ahead', async (hereMs, thereMs) => {
    const fleet = await harness.connect()
    const [here, there] = [
      await harness.worker({ aheadMs: hereMs }),
      await harness.worker({ aheadMs: thereMs }),
    ]
    const asked = gate()
    const answer = gate()
    harness.endpoint.onRotated = async () => {
      asked.open()
      await answer.opened
      return 'arrives'
    }
    const first = here.renew(fleet)
    await asked.opened
    let reads = 0
    there.beforeRead = () => {
      if (++reads === SEVERAL_READS) answer.open()
    }
    const second = there.renew(fleet)
    const expected = { refreshToken: harness.endpoint.accepted(fleet.name) }
    expect(await Promise.all([first, second])).toMatchObject([expected, expected])
    expect(harness.endpoint.outcomesOf(fleet.name)).toEqual(['rotated'])
    expect(await harness.state(fleet)).toEqual({ status: 'connected', isStoredAccepted: true })
  })

  test.each([30_000, -30_000])(
    'happens after the death of a worker whose clock is %i ms ahead',
    async (aheadMs) => {
      const fleet = await harness.connect()
      const dead = await harness.worker({ aheadMs, timing: { leaseMs: 50 } })
      const next = await harness.worker()
      const asked = gate()
      dead.beforeRequest = () => {
        asked.open()
        return Promise.reject(new Error('killed'))
      }
      await expect(dead.renew(fleet)).rejects.toThrow('killed')
      await asked.opened
      expect(await next.renew(fleet)).toMatchObject({ refreshToken: `${fleet.name} 1` })
      expect(await harness.state(fleet)).toEqual({ status: 'connected', isStoredAccepted: true })
    },
  )

  test('ignores a lease that ends later than any lease can', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker()
    await harness.setLeaseEnd(fleet, Date.now() + 3_600_000)
    expect(await worker.renew(fleet)).toMatchObject({ refreshToken: `${fleet.name} 1` })
  })

  test.each(['the answer travels longer than the lease', 'the store stalls longer than the lease'])(
    'keeps the credentials of the first, although %s',
    async (what) => {
      const fleet = await harness.connect()
      const slow = await harness.worker({ timing: { leaseMs: 50 } })
      const other = await harness.worker()
      const asked = gate()
      const refusal = gate()
      harness.endpoint.onRefused = refusal.open
      harness.endpoint.onRotated = async () => {
        asked.open()
        if (what.startsWith('the answer')) await refusal.opened
        else slow.beforeTransaction = () => refusal.opened
        return 'arrives'
      }
      const first = slow.renew(fleet)
      await asked.opened
      const second = other.renew(fleet)
      const expected = { refreshToken: `${fleet.name} 1` }
      expect(await Promise.all([first, second])).toMatchObject([expected, expected])
      expect(harness.endpoint.outcomesOf(fleet.name)).toEqual(['rotated', 'refused'])
      expect(await harness.state(fleet)).toEqual({ status: 'connected', isStoredAccepted: true })
    },
  )

  test('does not overwrite the credentials of a new sign-in', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker()
    const signedIn = { ...fleet.used, refreshToken: 'of the new sign-in' }
    harness.endpoint.onRotated = async () => {
      await harness.store(fleet, signedIn)
      return 'arrives'
    }
    expect(await worker.renew(fleet)).toEqual(signedIn)
    expect(await harness.stored(fleet)).toBe('of the new sign-in')
  })
})
