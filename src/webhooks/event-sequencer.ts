import type { Notifier } from '../queue/notifier.ts'
import type { Logger } from '../platform/logging/log.ts'
import type { Database, Transaction } from '../storage/database.ts'
import { forUpdate } from '../storage/sql/dialect.ts'
import { placeholders } from '../storage/loaders/order-by-keys.ts'
import { OUTBOX_TOPIC } from '../storage/outbox.ts'
import { eventsTopic, LOG_TOPIC } from '../subgraphs/events/topics.ts'

const BATCH = 500
/** Also looks without being rung: a ring can be lost with the process that rang. */
const POLL_INTERVAL_MS = 1000

export interface EventSequencer {
  /** Gives every entry that is committed its position. */
  sequence(): Promise<void>
  close(): Promise<void>
}

interface UnsequencedEntry {
  readonly sequence: number
  readonly applicationId: string
}

/**
 * Gives the entries of the outbox their positions in the log, in one place at a time. An entry is seen only once it
 * is committed and gets the next position then, so a reader that has seen a position never finds a new entry before it.
 */
export function startEventSequencer(db: Database, notifier: Notifier, log: Logger): EventSequencer {
  let running: Promise<void> | null = null
  let again = false
  const run = async () => {
    do {
      again = false
      for (let placed = BATCH; placed === BATCH;) placed = await sequenceBatch(db, notifier)
    } while (again)
  }
  const sequence = (): Promise<void> => {
    again = true
    running ??= run().finally(() => (running = null))
    return running
  }
  const wake = () =>
    void sequence().catch((error: unknown) => log.error({ err: error }, 'the event log stands still'))
  const stopListening = notifier.subscribe(OUTBOX_TOPIC, wake)
  const timer = setInterval(wake, POLL_INTERVAL_MS).unref()
  return {
    sequence,
    async close() {
      clearInterval(timer)
      stopListening()
      await running?.catch(() => undefined)
    },
  }
}

async function sequenceBatch(db: Database, notifier: Notifier): Promise<number> {
  const [waiting] = await db.rows('SELECT 1 FROM `events` WHERE `position` IS NULL LIMIT 1')
  if (!waiting) return 0
  const entries = await db.transaction(async (tx) => {
    const [lock] = await tx.rows<{ position: number }>(
      `SELECT \`position\` FROM \`log_heads\` WHERE \`applicationId\` = ''${forUpdate(tx.dialect)}`,
    )
    const unplaced = await tx.rows<UnsequencedEntry>(
      `SELECT \`sequence\`, \`applicationId\` FROM \`events\` WHERE \`position\` IS NULL ORDER BY \`sequence\` LIMIT ${BATCH}`,
    )
    if (unplaced.length === 0) return unplaced
    const turn = Number(lock?.position ?? 0) + 1
    for (const [applicationId, mine] of byApplication(unplaced))
      await assignPositions(tx, { applicationId, turn }, mine)
    await tx.run("UPDATE `log_heads` SET `position` = ? WHERE `applicationId` = ''", [turn])
    return unplaced
  })
  for (const applicationId of byApplication(entries).keys()) notifier.notify(eventsTopic(applicationId))
  if (entries.length > 0) notifier.notify(LOG_TOPIC)
  return entries.length
}

/** A batch of the dispatcher; each has a number of its own, and later ones have greater ones. */
interface SequencerBatch {
  readonly applicationId: string
  readonly turn: number
}

async function assignPositions(
  tx: Transaction,
  { applicationId, turn }: SequencerBatch,
  sequences: readonly number[],
): Promise<void> {
  const [head] = await tx.rows<{ position: number }>(
    'SELECT `position` FROM `log_heads` WHERE `applicationId` = ?',
    [applicationId],
  )
  const from = Number(head?.position ?? 0)
  const cases = sequences.map(() => 'WHEN ? THEN ?').join(' ')
  await tx.run(
    `UPDATE \`events\` SET \`position\` = CASE \`sequence\` ${cases} END WHERE \`sequence\` IN (${placeholders(sequences.length)})`,
    [...sequences.flatMap((sequence, index) => [sequence, from + index + 1]), ...sequences],
  )
  const newest = from + sequences.length
  if (head)
    await tx.run('UPDATE `log_heads` SET `position` = ?, `turn` = ? WHERE `applicationId` = ?', [
      newest,
      turn,
      applicationId,
    ])
  else
    await tx.run('INSERT INTO `log_heads` (`applicationId`, `position`, `turn`) VALUES (?, ?, ?)', [
      applicationId,
      newest,
      turn,
    ])
}

function byApplication(entries: readonly UnsequencedEntry[]): Map<string, number[]> {
  const grouped = new Map<string, number[]>()
  for (const { applicationId, sequence } of entries) {
    const mine = grouped.get(applicationId)
    if (mine) mine.push(sequence)
    else grouped.set(applicationId, [sequence])
  }
  return grouped
}
