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
  /** Assigns a log position to every committed event that has none. */
  assignPositions(): Promise<void>
  close(): Promise<void>
}

/** Row of a committed event that has no log position yet. */
interface OutboxRow {
  /** Number that the database gave the row at its insertion. */
  readonly sequence: number
  readonly applicationId: string
}

/**
 * Gives each event of the outbox the next position in the log of its application. A row lock lets one sequencer at a
 * time assign positions. The sequencer sees an event only after its commit. A reader that has seen a position therefore
 * never finds a new event before it.
 */
export function startEventSequencer(db: Database, notifier: Notifier, log: Logger): EventSequencer {
  let running: Promise<void> | null = null
  let runAgain = false
  const run = async () => {
    do {
      runAgain = false
      for (let assigned = BATCH_SIZE; assigned === BATCH_SIZE;) assigned = await assignBatch(db, notifier)
    } while (runAgain)
  }
  const assignPositions = (): Promise<void> => {
    runAgain = true
    running ??= run().finally(() => (running = null))
    return running
  }
  const wake = () =>
    void assignPositions().catch((error: unknown) => log.error({ err: error }, 'event sequencing failed'))
  const stopListening = notifier.subscribe(OUTBOX_TOPIC, wake)
  const timer = setInterval(wake, POLL_INTERVAL_MS).unref()
  return {
    assignPositions,
    async close() {
      clearInterval(timer)
      stopListening()
      await running?.catch(() => undefined)
    },
  }
}

/** Assigns positions to the next batch of events, and notifies their readers. Returns the number of events. */
async function assignBatch(db: Database, notifier: Notifier): Promise<number> {
  const [waiting] = await db.rows('SELECT 1 FROM `events` WHERE `position` IS NULL LIMIT 1')
  if (!waiting) return 0
  const rows = await db.transaction(async (tx) => {
    // The row without an application is the lock. Its position is the number of the last batch.
    const [lock] = await tx.rows<{ position: number }>(
      `SELECT \`position\` FROM \`log_heads\` WHERE \`applicationId\` = ''${forUpdate(tx.dialect)}`,
    )
    const outboxRows = await tx.rows<OutboxRow>(
      `SELECT \`sequence\`, \`applicationId\` FROM \`events\` WHERE \`position\` IS NULL ORDER BY \`sequence\` LIMIT ${BATCH_SIZE}`,
    )
    if (outboxRows.length === 0) return outboxRows
    const batchNumber = Number(lock?.position ?? 0) + 1
    for (const [applicationId, sequenceNumbers] of byApplication(outboxRows))
      await storePositions(tx, { applicationId, batchNumber }, sequenceNumbers)
    await tx.run("UPDATE `log_heads` SET `position` = ? WHERE `applicationId` = ''", [batchNumber])
    return outboxRows
  })
  for (const applicationId of byApplication(rows).keys()) notifier.notify(eventsTopic(applicationId))
  if (rows.length > 0) notifier.notify(LOG_TOPIC)
  return rows.length
}

/** The part of a batch that belongs to one application. Batch numbers are unique and increase. `turn` stores them. */
interface ApplicationBatch {
  readonly applicationId: string
  readonly batchNumber: number
}

/** Stores the positions of the rows with these sequence numbers: the next ones in the log of the application. */
async function storePositions(
  tx: Transaction,
  { applicationId, batchNumber }: ApplicationBatch,
  sequenceNumbers: readonly number[],
): Promise<void> {
  const [head] = await tx.rows<{ position: number }>(
    'SELECT `position` FROM `log_heads` WHERE `applicationId` = ?',
    [applicationId],
  )
  const lastPosition = Number(head?.position ?? 0)
  const cases = sequenceNumbers.map(() => 'WHEN ? THEN ?').join(' ')
  await tx.run(
    `UPDATE \`events\` SET \`position\` = CASE \`sequence\` ${cases} END WHERE \`sequence\` IN (${placeholders(sequenceNumbers.length)})`,
    [
      ...sequenceNumbers.flatMap((sequence, index) => [sequence, lastPosition + index + 1]),
      ...sequenceNumbers,
    ],
  )
  const newest = lastPosition + sequenceNumbers.length
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

/** Groups the sequence numbers of rows by application. */
function byApplication(rows: readonly OutboxRow[]): Map<string, number[]> {
  const grouped = new Map<string, number[]>()
  for (const { applicationId, sequence } of rows) {
    const sequenceNumbers = grouped.get(applicationId)
    if (sequenceNumbers) sequenceNumbers.push(sequence)
    else grouped.set(applicationId, [sequence])
  }
  return grouped
}
