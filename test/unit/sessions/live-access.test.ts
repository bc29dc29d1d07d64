import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { newSecretKey } from '../../../src/auth/keys.ts'
import { AccessMonitor } from '../../../src/auth/access-revocation.ts'
import { sessionScopes } from '../../../src/auth/session-scopes.ts'

const APPLICATION = 'app_1'
const caller = keyHolder(APPLICATION)
const key = () => ({ authorization: `Bearer ${newSecretKey('sandbox')}` })

/** What is good, how often that was asked, and who is to be told that something is not. */
class Office {
  readonly asked: number[] = []
  readonly listeners = new Set<() => void>()
  readonly trouble: unknown[] = []
  areKeysGood = true
  areSessionsGood = true
  isDown = false
  keysEndAt: number | null = null
  readonly startedAt = Date.now()

  constructor(private readonly lookMs = 3000) {}

  readonly access = new AccessMonitor({
    lookups: {
      activeKeys: async (hashes) => {
        if (this.isDown) throw new Error('out of reach')
        this.asked.push(hashes.length)
        return new Map(this.areKeysGood ? hashes.map((hash) => [hash, this.keysEndAt]) : [])
      },
      activeSessions: async (ids) => {
        this.asked.push(ids.length)
        return new Map(
          this.areSessionsGood
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
    checkMs: this.lookMs,
    onError: (error) => void this.trouble.push(error),
  })

  ring(): void {
    for (const listener of this.listeners) listener()
  }
}

let office: Office

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'Date'] })
  office = new Office()
})
afterEach(async () => {
  await office.access.close()
  vi.useRealTimers()
})

async function opened(count: number, credentials = key(), who = caller): Promise<string[]> {
  const told: string[] = []
  for (let at = 0; at < count; at++)
    await office.access.open(credentials, who, ({ message }) => void told.push(message))
  return told
}

test('however many come by one key, it is looked up once, and all are told', async () => {
  const told = await opened(1000)
  expect(office.asked).toEqual([1, 0])
  office.areKeysGood = false
  office.ring()
  await setImmediate()
  expect(told).toEqual(Array(1000).fill('The secret key has been revoked.'))
  expect(office.asked).toEqual([1, 0, 1, 0])
  expect(office.listeners.size).toBe(0)
})

test('a lost ring is made good by the next look', async () => {
  const told = await opened(1)
  office.areKeysGood = false
  await vi.advanceTimersByTimeAsync(2900)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(told).toHaveLength(1)
})

test('many sessions are looked up at once, and one that expires ends by itself', async () => {
  const told: string[][] = []
  for (let at = 0; at < 50; at++) {
    const expiresAt = office.startedAt + 10_000 + at
    const session = { id: `ses_${at}`, scopes: sessionScopes, keyScopes: null, expiresAt }
    told.push(await opened(1, { authorization: `Bearer ses_tkn_${at}` }, { ...caller, session }))
  }
  office.asked.length = 0
  office.ring()
  await setImmediate()
  expect(office.asked).toEqual([0, 50])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(told.filter((one) => one.length > 0)).toEqual([['The session has expired.']])
})

test('what cannot be looked up stays open, and is looked up again', async () => {
  const told = await opened(1)
  office.isDown = true
  office.areKeysGood = false
  office.ring()
  await setImmediate()
  expect([told, office.trouble.length]).toEqual([[], 1])
  office.isDown = false
  await vi.advanceTimersByTimeAsync(3000)
  expect(told).toHaveLength(1)
})

test('what has ended is refused, and what is left is forgotten', async () => {
  office.areKeysGood = false
  await expect(opened(1)).rejects.toMatchObject({ code: 'unauthorized' })
  office.areKeysGood = true
  const leave = await office.access.open(key(), caller, () => {
    throw new Error('nobody listens any more')
  })
  expect(office.listeners.size).toBe(1)
  leave()
  leave()
  expect(office.listeners.size).toBe(0)
  office.areKeysGood = false
  office.ring()
  await setImmediate()
})

test('a key that expires ends what is open, also where it was rotated meanwhile, and however far off its end is', async () => {
  const day = 24 * 3600 * 1000
  await office.access.close()
  office = new Office(day)
  office.keysEndAt = Date.now() + 60 * day
  const told = await opened(2)
  await vi.advanceTimersByTimeAsync(30 * day)
  expect(told).toEqual([])
  office.keysEndAt = Date.now() + 500
  office.ring()
  await vi.advanceTimersByTimeAsync(499)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(told).toEqual(Array(2).fill('The secret key has expired.'))
  await expect(opened(1)).rejects.toThrow('The secret key has expired.')
})
