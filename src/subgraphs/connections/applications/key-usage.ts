import { LRUCache } from 'lru-cache'
import type { Id } from '../../../domain/ids.ts'
import type { Database } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import type { Clock, Instant } from '../../../domain/time.ts'

export interface KeyUsageRecorder {
  /** Notes that a key is in use, secret or publishable. It waits for nothing and never fails. */
  record(keyId: Id<'key'>): void
  close(): Promise<void>
}

interface KeyUsageDeps {
  readonly db: Pick<Database, 'transaction'>
  readonly clock: Clock
  onTrouble(error: unknown): void
}

/** How often the use of one key is written by one process. */
const EVERY_MS = 60_000
/** How long a use waits for those of other keys. */
const TOGETHER_MS = 500
const MAX_KNOWN = 10_000
const MAX_AT_ONCE = 500

type Uses = Map<Id<'key'>, Instant>

/** Writes behind the requests when keys were last used, all that come within a moment in one statement. */
export function createKeyUsageRecorder({ db, clock, onTrouble }: KeyUsageDeps): KeyUsageRecorder {
  const noted = new LRUCache<string, Instant>({ max: MAX_KNOWN })
  let waiting: Uses = new Map()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  const write = () => {
    timer = undefined
    const usage = waiting
    waiting = new Map()
    writing = writing
      .then(() => writeKeyUsage(db, [...usage]))
      .catch((error: unknown) => {
        // The next use of each is noted anew.
        for (const id of usage.keys()) noted.delete(id)
        onTrouble(error)
      })
  }
  return {
    record(keyId) {
      const now = clock.now()
      const before = noted.get(keyId)
      if (before !== undefined && now - before < EVERY_MS) return
      noted.set(keyId, now)
      waiting.set(keyId, now)
      timer ??= setTimeout(write, TOGETHER_MS).unref()
    },
    close() {
      clearTimeout(timer)
      write()
      return writing
    },
  }
}

/** Other processes write too: a later use is never taken back. */
async function writeKeyUsage(
  { transaction }: Pick<Database, 'transaction'>,
  usage: [Id<'key'>, Instant][],
): Promise<void> {
  for (let at = 0; at < usage.length; at += MAX_AT_ONCE) {
    const some = usage.slice(at, at + MAX_AT_ONCE)
    const usedAt = `CASE \`id\` ${some.map(() => 'WHEN ? THEN ?').join(' ')} END`
    await transaction((tx) =>
      tx.run(
        `UPDATE \`api_keys\` SET \`lastUsedAt\` = ${usedAt} WHERE \`id\` IN (${placeholders(some.length)})
          AND (\`lastUsedAt\` IS NULL OR \`lastUsedAt\` < ${usedAt})`,
        [...some.flat(), ...some.map(([id]) => id), ...some.flat()],
      ),
    )
  }
}
