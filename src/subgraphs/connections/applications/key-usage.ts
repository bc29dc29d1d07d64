import { LRUCache } from 'lru-cache'
import type { Id } from '../../../domain/ids.ts'
import type { Database } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import type { Clock, Instant } from '../../../domain/time.ts'

export interface KeyUsageRecorder {
  /** Records the use of a secret or publishable key. Returns before the use is written, and never fails. */
  record(keyId: Id<'key'>): void
  /** Writes the recorded uses that are not yet written. */
  close(): Promise<void>
}

interface KeyUsageDeps {
  readonly db: Pick<Database, 'transaction'>
  readonly clock: Clock
  onWriteError(error: unknown): void
}

/** Minimum interval between two writes of one key by one process. */
const WRITE_INTERVAL_MS = 60_000
/** Delay of a write, so that the uses of several keys share it. */
const BATCH_DELAY_MS = 500
const MAX_TRACKED_KEYS = 10_000
const BATCH_SIZE = 500

type KeyUses = Map<Id<'key'>, Instant>

/** Records in the background when keys were last used. Uses within a short delay share one statement. */
export function createKeyUsageRecorder({ db, clock, onWriteError }: KeyUsageDeps): KeyUsageRecorder {
  const lastRecorded = new LRUCache<string, Instant>({ max: MAX_TRACKED_KEYS })
  let pending: KeyUses = new Map()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  const write = () => {
    timer = undefined
    const usage = pending
    pending = new Map()
    writing = writing
      .then(() => writeKeyUsage(db, [...usage]))
      .catch((error: unknown) => {
        // Forgets the failed uses, so that the next use of each key is written at once.
        for (const id of usage.keys()) lastRecorded.delete(id)
        onWriteError(error)
      })
  }
  return {
    record(keyId) {
      const now = clock.now()
      const before = lastRecorded.get(keyId)
      if (before !== undefined && now - before < WRITE_INTERVAL_MS) return
      lastRecorded.set(keyId, now)
      pending.set(keyId, now)
      timer ??= setTimeout(write, BATCH_DELAY_MS).unref()
    },
    close() {
      clearTimeout(timer)
      write()
      return writing
    },
  }
}

/** Writes the times of the last uses. Keeps a later time, which another process may have written. */
async function writeKeyUsage(
  { transaction }: Pick<Database, 'transaction'>,
  usage: [Id<'key'>, Instant][],
): Promise<void> {
  for (let start = 0; start < usage.length; start += BATCH_SIZE) {
    const batch = usage.slice(start, start + BATCH_SIZE)
    const usedAt = `CASE \`id\` ${batch.map(() => 'WHEN ? THEN ?').join(' ')} END`
    await transaction((tx) =>
      tx.run(
        `UPDATE \`api_keys\` SET \`lastUsedAt\` = ${usedAt} WHERE \`id\` IN (${placeholders(batch.length)})
          AND (\`lastUsedAt\` IS NULL OR \`lastUsedAt\` < ${usedAt})`,
        [...batch.flat(), ...batch.map(([id]) => id), ...batch.flat()],
      ),
    )
  }
}
