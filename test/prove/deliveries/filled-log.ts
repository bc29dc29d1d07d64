import type { Id } from '../../../src/domain/ids.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import type { Database } from '../../../src/storage/database.ts'
import { appendEvents, EventRow } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { buildEventPayloads } from '../../../src/subgraphs/events/event-payloads.ts'
import { startEventSequencer } from '../../../src/webhooks/event-sequencer.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { masterEncryption } from '../../support/factories.ts'
import { makeApplications } from '../event-log/stage.ts'
import { vehicleChange } from '../event-log/writing.ts'

const BATCH = 1000

/** A log without deliveries, and the message body of each entry. */
export interface FilledLog {
  readonly applicationId: Id<'application'>
  readonly bodies: readonly string[]
}

export async function fillLog(db: Database, events: number): Promise<FilledLog> {
  const {
    mine: [origin],
  } = await makeApplications(db)
  if (!origin) throw new Error('no connection')
  for (let at = 0; at < events; at += BATCH) {
    const count = Math.min(BATCH, events - at)
    const changes = Array.from({ length: count }, (_, index) => vehicleChange(origin, 0, at + index))
    await db.transaction((tx) => appendEvents(tx, { ...origin, at: Date.now() }, changes))
  }
  const sequencer = startEventSequencer(db, createInProcessNotifier(), createLog('error'))
  await sequencer.assignPositions()
  await sequencer.close()
  return { applicationId: origin.applicationId, bodies: await bodiesIn(db) }
}

const log = tableOf(EventRow)

async function bodiesIn(db: Database): Promise<string[]> {
  const bodies: string[] = []
  for (let position = 0; ; position += BATCH) {
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT ${log.selected} FROM \`${log.name}\` WHERE \`position\` > ? ORDER BY \`position\` LIMIT ${BATCH}`,
      [position],
    )
    const entries = rows.map((row) => log.toRow(row))
    const deps = { db, secrets: masterEncryption, linkUrl: () => 'http://localhost/link' }
    bodies.push(...(await buildEventPayloads(deps, entries, null)).map((body) => JSON.stringify(body)))
    if (rows.length < BATCH) return bodies
  }
}
