import type { Notifier } from '../queue/notifier.ts'
import type { Logger } from '../platform/logging/log.ts'
import type { Database, Transaction } from '../storage/database.ts'
import { forUpdate } from '../storage/sql/dialect.ts'
import { placeholders } from '../storage/loaders/order-by-keys.ts'
import { OUTBOX_TOPIC } from '../storage/outbox.ts'
import { eventsTopic, LOG_TOPIC } from '../subgraphs/events/topics.ts'

const BATCH_SIZE = 500
/** The sequencer also polls: a notification is lost if the process dies between commit and notification. */
const POLL_INTERVAL_MS = 1000

export interface EventSequencer {
  /** Assigns a log position to every committed entry that has none. */
  sequence(): Promise<void>
  close(): Promise<void>
}

interface UnsequencedEntry {
  readonly sequence: number
  readonly applicationId: string
}

/**
 * Gives each entry of the outbox the next position in the log of its application. A row lock lets one sequencer at a
 * time assign positions. The sequencer sees an entry only after its commit. A reader that has seen a position therefore
 * never finds a new entry before it.
 */
export function startEventSequencer(db: Database, notifier: Notifier, log: Logger): EventSequencer {
  let running: Promise<void> | null = null
  let runAgain = false
  const run = async () => {
    do {
      runAgain = false
      for (let sequenced = BATCH_SIZE; sequenced === BATCH_SIZE;)
        sequenced = await sequenceBatch(db, notifier)
    } while (runAgain)
  }
  const sequence = (): Promise<void> => {
    runAgain = true
    running ??= run().finally(() => (running = null))
    return running
  }
  const wake = () =>
    void sequence().catch((error: unknown) => log.error({ err: error }, 'event sequencing failed'))
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
    // The row without an application is the lock. Its position is the number of the last batch.
    const [lock] = await tx.rows<{ position: number }>(
      `SELECT \`position\` FROM \`log_heads\` WHERE \`applicationId\` = ''${forUpdate(tx.dialect)}`,
    )
    const unsequenced = await tx.rows<UnsequencedEntry>(
      `SELECT \`sequence\`, \`applicationId\` FROM \`events\` WHERE \`position\` IS NULL ORDER BY \`sequence\` LIMIT ${BATCH_SIZE}`,
    )
    if (unsequenced.length === 0) return unsequenced
    const batchNumber = Number(lock?.position ?? 0) + 1
    for (const [applicationId, sequences] of byApplication(unsequenced))
      await assignPositions(tx, { applicationId, batchNumber }, sequences)
    await tx.run("UPDATE `log_heads` SET `position` = ? WHERE `applicationId` = ''", [batchNumber])
    return unsequenced
  })
  for (const applicationId of byApplication(entries).keys()) notifier.notify(eventsTopic(applicationId))
  if (entries.length > 0) notifier.notify(LOG_TOPIC)
  return entries.length
}

/** The part of a batch that belongs to one application. Batch numbers are unique and increase. */
interface ApplicationBatch {
  readonly applicationId: string
  readonly batchNumber: number
}

async function assignPositions(
  tx: Transaction,
  { applicationId, batchNumber }: ApplicationBatch,
  sequences: readonly number[],
): Promise<void> {
  const [head] = await tx.rows<{ position: number }>(
    'SELECT `position` FROM `log_heads` WHERE `applicationId` = ?',
    [applicationId],
  )
  const lastPosition = Number(head?.position ?? 0)
  const cases = sequences.map(() => 'WHEN ? THEN ?').join(' ')
  await tx.run(
    `UPDATE \`events\` SET \`position\` = CASE \`sequence\` ${cases} END WHERE \`sequence\` IN (${placeholders(sequences.length)})`,
    [...sequences.flatMap((sequence, index) => [sequence, lastPosition + index + 1]), ...sequences],
  )
  const newest = lastPosition + sequences.length
  if (head)
    await tx.run('UPDATE `log_heads` SET `position` = ?, `turn` = ? WHERE `applicationId` = ?', [
      newest,
      batchNumber,
      applicationId,
    ])
  else
    await tx.run('INSERT INTO `log_heads` (`applicationId`, `position`, `turn`) VALUES (?, ?, ?)', [
      applicationId,
      newest,
      batchNumber,
    ])
}

function byApplication(entries: readonly UnsequencedEntry[]): Map<string, number[]> {
  const grouped = new Map<string, number[]>()
  for (const { applicationId, sequence } of entries) {
    const sequences = grouped.get(applicationId)
    if (sequences) sequences.push(sequence)
    else grouped.set(applicationId, [sequence])
  }
  return grouped
}
