import { expect, test } from 'vitest'
import type { Message } from '../../../src/webhooks/messages/message.ts'
import { ConnectionCache } from '../../../src/webhooks/worker/connection-cache.ts'

const message = {
  storedType: 'vehicle.modified',
  delivery: { connectionId: 'con_1', position: 1 },
} as Message

/** A cache whose reads return when the test answers them, in any order. */
function cacheWithReads() {
  const reads: ((tags: readonly string[]) => Promise<void>)[] = []
  const cache = new ConnectionCache({
    rows: <T>() =>
      new Promise<T[]>((resolve) =>
        reads.push(async (tags) => {
          resolve([{ id: 'con_1', status: 'connected', tags: JSON.stringify(tags) }] as T[])
          await new Promise(setImmediate)
        }),
      ),
  })
  return { cache, answer: (read: number, ...tags: string[]) => reads[read]?.(tags) }
}

test('the state of a connection is not replaced by an earlier read that returns later', async () => {
  const { cache, answer } = cacheWithReads()
  const earlier = cache.reload(['con_1'])
  const later = cache.reload(['con_1'])
  await answer(1, 'north')
  await answer(0)
  await Promise.all([earlier, later])
  expect(await cache.isWanted({ tags: ['north'] }, message)).toBe(true)
})

test('the state of a connection is read again after it was dropped, and not taken from an earlier read', async () => {
  const { cache, answer } = cacheWithReads()
  const earlier = cache.reload(['con_1'])
  const later = cache.reload(['con_1'])
  await answer(1, 'north')
  await later
  const refresh = cache.refresh()
  await answer(2, 'north')
  await refresh
  await cache.refresh()
  await answer(0)
  await earlier
  const isWanted = cache.isWanted({ tags: ['north'] }, message)
  await answer(3, 'north')
  expect(await isWanted).toBe(true)
})
