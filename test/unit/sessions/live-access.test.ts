import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { newSecretKey } from '../../../src/auth/keys.ts'
import { AccessMonitor } from '../../../src/auth/access-revocation.ts'
import { sessionScopes } from '../../../src/auth/session-scopes.ts'

const APPLICATION = 'app_1'
const caller = keyHolder(APPLICATION)
const key = () => ({ authorization: `Bearer ${newSecretKey('sandbox')}` })

/** Access monitor on fake lookups. `lookups` has the number of ids of each lookup. */
class MonitorHarness {
  readonly lookups: number[] = []
  readonly listeners = new Set<() => void>()
  readonly errors: unknown[] = []
  areKeysActive = true
  areSessionsActive = true
  isUnavailable = false
  keysExpireAt: number | null = null
  readonly startedAt = Date.now()

  constructor(private readonly checkMs = 3000) {}

  readonly access = new AccessMonitor({
    lookups: {
      activeKeys: async (hashes) => {
        if (this.isUnavailable) throw new Error('out of reach')
        this.lookups.push(hashes.length)
        return new Map(this.areKeysActive ? hashes.map((hash) => [hash, this.keysExpireAt]) : [])
      },
      activeSessions: async (ids) => {
        this.lookups.push(ids.length)
        return new Map(
          this.areSessionsActive
            ? ids.map((id) => [id, this.startedAt + 10_000 + Number(id.slice('ses_'.length))])
            : [],
        )
      },
      activeConnections: async () => new Map(),
    },
    subscribe: (_, listener) => {
      this.listeners.add(listener)
      return () => void this.listeners.delete(listener)
    },
    clock: { now: () => Date.now() },
    checkMs: this.checkMs,
    onError: (error) => void this.errors.push(error),
  })

  notify(): void {
    for (const listener of this.listeners) listener()
  }
}

let harness: MonitorHarness

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'Date'] })
  harness = new MonitorHarness()
})
afterEach(async () => {
  await harness.access.close()
  vi.useRealTimers()
})

async function openMany(count: number, credentials = key(), opener = caller): Promise<string[]> {
  const revocations: string[] = []
  for (let at = 0; at < count; at++)
    await harness.access.open(credentials, opener, ({ message }) => void revocations.push(message))
  return revocations
}

test('one key is looked up once for all its streams, and a revocation ends all of them', async () => {
  const revocations = await openMany(1000)
  expect(harness.lookups).toEqual([1, 0])
  harness.areKeysActive = false
  harness.notify()
  await setImmediate()
  expect(revocations).toEqual(Array(1000).fill('The secret key has been revoked.'))
  expect(harness.lookups).toEqual([1, 0, 1, 0])
  expect(harness.listeners.size).toBe(0)
})

test('the next periodic check makes up for a lost notification', async () => {
  const revocations = await openMany(1)
  harness.areKeysActive = false
  await vi.advanceTimersByTimeAsync(2900)
  expect(revocations).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(revocations).toHaveLength(1)
})

test('many sessions are looked up at once, and each ends at its own expiry', async () => {
  const revocations: string[][] = []
  for (let index = 0; index < 50; index++) {
    const expiresAt = harness.startedAt + 10_000 + index
    const session = {
      id: `ses_${index}`,
      name: null,
      role: null,
      scopes: sessionScopes,
      keyScopes: null,
      expiresAt,
    }
    revocations.push(await openMany(1, { authorization: `Bearer ses_tkn_${index}` }, { ...caller, session }))
  }
  harness.lookups.length = 0
  harness.notify()
  await setImmediate()
  expect(harness.lookups).toEqual([0, 50])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(revocations.filter((one) => one.length > 0)).toEqual([['The session has expired.']])
})

test('a stream stays open if the lookup fails, and is checked again', async () => {
  const revocations = await openMany(1)
  harness.isUnavailable = true
  harness.areKeysActive = false
  harness.notify()
  await setImmediate()
  expect([revocations, harness.errors.length]).toEqual([[], 1])
  harness.isUnavailable = false
  await vi.advanceTimersByTimeAsync(3000)
  expect(revocations).toHaveLength(1)
})

test('revoked access is refused, and a closed stream is not monitored', async () => {
  harness.areKeysActive = false
  await expect(openMany(1)).rejects.toMatchObject({ code: 'unauthorized' })
  harness.areKeysActive = true
  const close = await harness.access.open(key(), caller, () => {
    throw new Error('the stream is closed')
  })
  expect(harness.listeners.size).toBe(1)
  close()
  close()
  expect(harness.listeners.size).toBe(0)
  harness.areKeysActive = false
  harness.notify()
  await setImmediate()
})

test('an expired key ends its streams, even if a rotation changed the expiry or the expiry is far off', async () => {
  const day = 24 * 3600 * 1000
  await harness.access.close()
  harness = new MonitorHarness(day)
  harness.keysExpireAt = Date.now() + 60 * day
  const revocations = await openMany(2)
  await vi.advanceTimersByTimeAsync(30 * day)
  expect(revocations).toEqual([])
  harness.keysExpireAt = Date.now() + 500
  harness.notify()
  await vi.advanceTimersByTimeAsync(499)
  expect(revocations).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(revocations).toEqual(Array(2).fill('The secret key has expired.'))
  await expect(openMany(1)).rejects.toThrow('The secret key has expired.')
})
