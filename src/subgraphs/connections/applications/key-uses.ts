import { LRUCache } from 'lru-cache'
import type { Id } from '../../../ids.ts'
import type { Database } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/in-order.ts'
import type { Clock, Instant } from '../../../time.ts'

export interface KeyUses {
  /** Notes that a key is in use, secret or publishable. It waits for nothing and never fails. */
  note(keyId: Id<'key'>): void
  close(): Promise<void>
}

interface KeyUsesFrom {
  readonly db: Pick<Database, 'transaction'>
  readonly clock: Clock
  onTrouble(error: unknown): void
}

/** How often the use of one key is written by one process. */
const EVERY_MS = 60_000
/** How long a use waits for those of other keys. */
const TOGETHER_MS = 500
const MOST_KNOWN = 10_000
const MOST_AT_ONCE = 500

type Uses = Map<Id<'key'>, Instant>

/** Writes behind the requests when keys were last used, all that come within a moment in one statement. */
export function keyUses({ db, clock, onTrouble }: KeyUsesFrom): KeyUses {
  const noted = new LRUCache<string, Instant>({ max: MOST_KNOWN })
  let waiting: Uses = new Map()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  const write = () => {
    timer = undefined
    const uses = waiting
    waiting = new Map()
    writing = writing
      .then(() => writeUses(db, [...uses]))
      .catch((error: unknown) => {
        // The next use of each is noted anew.
        for (const id of uses.keys()) noted.delete(id)
        onTrouble(error)
      })
  }
  return {
    note(keyId) {
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
async function writeUses(
  { transaction }: Pick<Database, 'transaction'>,
  uses: [Id<'key'>, Instant][],
): Promise<void> {
  for (let at = 0; at < uses.length; at += MOST_AT_ONCE) {
    const some = uses.slice(at, at + MOST_AT_ONCE)
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
