import { setTimeout as wait } from 'node:timers/promises'
import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { type NewEvent, appendEvents, withoutNulls } from '../../../src/storage/outbox.ts'
import type { Owner } from '../../support/factories.ts'
import { vehicleRow } from '../../support/factories.ts'
import { Random } from '../../fuzz/random.ts'

/** Owner of a writer's events. */
export interface Origin extends Owner {
  /** The connection as events contain it. */
  readonly brief: Readonly<Record<string, unknown>>
}

export interface Writer {
  readonly number: number
  readonly events: number
  readonly mine: Origin
  /** Owner in another application, whose events no reader of the first may see. */
  readonly other: Origin
}

export interface WriterTools {
  readonly db: Pick<Database, 'transaction'>
  /** Notifies the event sequencer. */
  readonly ring: () => void
  /** Waits until the writer may write more. */
  readonly mayWrite: () => Promise<void>
  /** Reports a commit: the first number and the count. */
  readonly committed: (first: number, events: number) => void
}

const MAX_BATCH = 50
const RECORDS = 25
const MAX_HOLD_MS = 30

class RolledBack extends Error {}

/**
 * Records this many committed events. Their numbers include uncommitted ones: some transactions roll back.
 * Some stay open for a while, so that they commit in another order than they wrote.
 */
export async function write(writer: Writer, { db, ring, mayWrite, committed }: WriterTools): Promise<void> {
  const random = new Random(writer.number + 1)
  const records = Array.from({ length: RECORDS }, () => newId('vehicle'))
  let next = 0
  for (let left = writer.events; left > 0;) {
    const size = Math.min(left, 1 + random.below(MAX_BATCH))
    const batch = Array.from({ length: size }, () =>
      vehicleChange(writer.mine, writer.number, next++, random.pick(records)),
    )
    const fate = {
      isRolledBack: random.chance(0.05),
      holdMs: random.chance(0.1) ? random.below(MAX_HOLD_MS) : 0,
    }
    await mayWrite()
    if (!(await inTransaction(db, writer, batch, fate))) continue
    committed(next - size, size)
    left -= size
    ring()
  }
}

interface Fate {
  readonly isRolledBack: boolean
  readonly holdMs: number
}

/** Returns whether the transaction was committed. */
async function inTransaction(
  db: WriterTools['db'],
  { mine, other }: Writer,
  batch: readonly NewEvent[],
  { isRolledBack, holdMs }: Fate,
): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      const at = Date.now()
      await appendEvents(tx, { ...mine, at }, batch)
      if (holdMs > 0) await appendEvents(tx, { ...other, at }, batch.slice(0, 1))
      if (holdMs > 0) await wait(holdMs)
      if (isRolledBack) throw new RolledBack()
    })
    return true
  } catch (error) {
    if (error instanceof RolledBack) return false
    throw error
  }
}

const tagOf = (writer: number, number: number): string => `${writer}-${String(number).padStart(8, '0')}`

const bookkeeping = new Set(['applicationId', 'connectionId', 'contentHash', 'rawHash', 'seenIn'])

/** Returns a vehicle change event with a writer's number. */
export function vehicleChange(mine: Origin, writer: number, number: number, id = newId('vehicle')): NewEvent {
  const row = vehicleRow(mine, { id, sourceId: tagOf(writer, number) })
  const reported = Object.fromEntries(Object.entries(row).filter(([name]) => !bookkeeping.has(name)))
  return {
    type: 'vehicle.modified',
    subjectId: id,
    detail: { vehicle: withoutNulls(reported), connection: mine.brief },
  }
}
