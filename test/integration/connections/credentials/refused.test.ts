import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ProviderError } from '../../../../src/providers/provider-error.ts'
import { dialects } from '../../../support/factories.ts'
import type { ProviderCredentials } from '../../../../src/providers/provider.ts'
import {
  RenewalHarness,
  type RenewalWorker,
  type RenewedFleet,
} from '../../../support/providers/renewal-harness.ts'
import { gate } from '../../../support/queue/queue-harness.ts'

/** So long that a test which waits for it fails. */
const NEVER_MS = 3_600_000
const refused = { kind: 'invalid_credentials' }

describe.each(dialects)('a renewal that the provider refuses, on %s', (dialect) => {
  let harness: RenewalHarness
  beforeAll(async () => {
    harness = await RenewalHarness.start(dialect)
  })
  beforeEach(() => harness.endpoint.behave())
  afterAll(() => harness[Symbol.asyncDispose]())

  /** Lets another worker store its credentials after a refusal, as soon as this one waits for its second look. */
  function storeBeforeSecondLook(worker: RenewalWorker, fleet: RenewedFleet): ProviderCredentials {
    const stored = { ...fleet.used, refreshToken: `${fleet.name} 1` }
    harness.endpoint.onRefused = () => {
      worker.beforeRead = () => {
        worker.beforeRead = () => undefined
        void harness.store(fleet, stored)
      }
    }
    return stored
  }

  test('disconnects at once if no earlier renewal is in doubt', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: { secondLookMs: NEVER_MS } })
    harness.endpoint.revoke(fleet.name)
    await expect(worker.renew(fleet)).rejects.toMatchObject(refused)
    expect(await harness.statusOf(fleet)).toBe('disconnected')
    expect(await harness.disconnections(fleet)).toBe(1)
  })

  test('returns the credentials of a new sign-in that are stored by now', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker()
    const signedIn = { ...fleet.used, refreshToken: 'of the new sign-in' }
    harness.endpoint.revoke(fleet.name)
    worker.beforeRequest = () => harness.store(fleet, signedIn)
    expect(await worker.renew(fleet)).toEqual(signedIn)
    expect(await harness.disconnections(fleet)).toBe(0)
  })

  test.each(['cut', 'late'])(
    'disconnects at the second look if its own earlier answer was lost: %s',
    async (how) => {
      const fleet = await harness.connect()
      const late = gate()
      const worker = await harness.worker({
        timing: { answerMs: how === 'late' ? 200 : 8000, secondLookMs: 300 },
      })
      harness.endpoint.onRotated = async () => {
        if (how === 'late') await late.opened
        return 'is lost'
      }
      let statusAtRefusal: Promise<string | undefined> | undefined
      harness.endpoint.onRefused = () => (statusAtRefusal = harness.statusOf(fleet))
      await expect(worker.renew(fleet)).rejects.toMatchObject(refused)
      late.open()
      expect(await statusAtRefusal).toBe('connected')
      expect(harness.endpoint.outcomesOf(fleet.name)).toEqual(['rotated', 'refused'])
      expect(await harness.statusOf(fleet)).toBe('disconnected')
      expect(await harness.disconnections(fleet)).toBe(1)
      // The doubt is over: the next refusal is final.
      const next = await harness.worker({ timing: { secondLookMs: NEVER_MS } })
      await expect(next.renew(fleet)).rejects.toMatchObject(refused)
    },
  )

  test.each(['cut', 'late'])(
    'finds at the second look what another worker has stored since its own answer was lost: %s',
    async (how) => {
      const fleet = await harness.connect()
      const worker = await harness.worker({ timing: { answerMs: how === 'late' ? 200 : 8000 } })
      const late = gate()
      harness.endpoint.onRotated = async () => {
        if (how === 'late') await late.opened
        return 'is lost'
      }
      const stored = storeBeforeSecondLook(worker, fleet)
      expect(await worker.renew(fleet)).toEqual(stored)
      late.open()
      expect(harness.endpoint.outcomesOf(fleet.name)).toEqual(['rotated', 'refused'])
      expect(await harness.state(fleet)).toEqual({ status: 'connected', isStoredAccepted: true })
      expect(await harness.disconnections(fleet)).toBe(0)
    },
  )

  test('stays in doubt although the provider limits a renewal in between', async () => {
    const fleet = await harness.connect()
    const [limited, next] = [await harness.worker(), await harness.worker()]
    await harness.setLeaseEnd(fleet, 0)
    limited.beforeRequest = () => Promise.reject(new ProviderError('limited', 'the provider answered 429'))
    await expect(limited.renew(fleet)).rejects.toMatchObject({ kind: 'limited' })
    harness.endpoint.revoke(fleet.name)
    const stored = storeBeforeSecondLook(next, fleet)
    expect(await next.renew(fleet)).toEqual(stored)
  })

  test('keeps other workers from presenting the refused token before the second look', async () => {
    const fleet = await harness.connect()
    const worker = await harness.worker({ timing: { leaseMs: 50 } })
    const other = await harness.worker({ timing: { leaseMs: 50, waitMs: 200 } })
    await harness.setLeaseEnd(fleet, 0)
    harness.endpoint.revoke(fleet.name)
    const waits = gate()
    harness.endpoint.onRefused = () => (worker.beforeRead = () => waits.open())
    const renewal = worker.renew(fleet)
    await waits.opened
    await expect(other.renew(fleet)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(harness.endpoint.outcomesOf(fleet.name)).toEqual(['refused'])
    const stored = { ...fleet.used, refreshToken: 'of another worker' }
    await harness.store(fleet, stored)
    expect(await renewal).toEqual(stored)
  })

  test('is looked at again by the next worker if the process stops before the second look', async () => {
    const fleet = await harness.connect()
    const stops = await harness.worker({ timing: { leaseMs: 50, secondLookMs: 1500 } })
    const next = await harness.worker({ timing: { secondLookMs: 100 } })
    await harness.setLeaseEnd(fleet, 0)
    harness.endpoint.revoke(fleet.name)
    const waits = gate()
    harness.endpoint.onRefused = () => {
      stops.beforeTransaction = async () => waits.open()
    }
    const renewal = stops.renew(fleet)
    renewal.catch(() => undefined)
    await waits.opened
    await stops.renewals.close()
    await expect(renewal).rejects.toThrow('the process stops')
    expect(await harness.statusOf(fleet)).toBe('connected')
    await expect(next.renew(fleet)).rejects.toMatchObject(refused)
    expect(await harness.disconnections(fleet)).toBe(1)
  })
})
