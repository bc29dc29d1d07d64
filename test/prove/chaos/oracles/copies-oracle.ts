import type { Database } from '../../../../src/storage/database.ts'
import type { IncrementalReader, LogReader } from '../readers.ts'
import type { CheckResults } from '../check-results.ts'

interface Row {
  readonly id: string
  readonly modifiedAt: number
  readonly deletedAt: number | null
}

/** Checks that the copy of each reader equals the stored rows, and that each state it received has an event. */
export async function judgeCopies(
  checkResults: CheckResults,
  db: Database,
  applicationId: string,
  readers: readonly IncrementalReader[],
): Promise<void> {
  const receivable = await receivableStates(db)
  for (const { name, of, copy, shown } of readers) {
    const narrowed = of.connectionId === null ? '' : ' AND `connectionId` = ?'
    const rows = await db.rows<Row>(
      `SELECT \`id\`, \`modifiedAt\`, \`deletedAt\` FROM \`${of.table}\` WHERE \`applicationId\` = ?${narrowed}`,
      [applicationId, ...(of.connectionId === null ? [] : [of.connectionId])],
    )
    checkResults.count('records in copies', copy.size)
    checkResults.holds(
      copy.size === rows.length,
      `${name}: the copy has ${copy.size} records, the table ${rows.length}`,
    )
    for (const { id, modifiedAt, deletedAt } of rows) {
      const stored = { modifiedAt: new Date(Number(modifiedAt)).toISOString(), deleted: deletedAt !== null }
      const mine = copy.get(id)
      checkResults.holds(
        mine?.modifiedAt === stored.modifiedAt && mine.deleted === stored.deleted,
        `${name}: the copy of ${id} is ${JSON.stringify(mine)}, stored is ${JSON.stringify(stored)}`,
      )
    }
    checkResults.count('states received', shown.size)
    for (const state of shown)
      checkResults.holds(receivable.has(state), `${name}: the reader received ${state}, which has no event`)
  }
}

/** Returns the states that a reader may receive, as id and time. Records that were deleted when added have no event. */
async function receivableStates(db: Database): Promise<Set<string>> {
  const entries = await db.rows<{ id: string; at: number }>(
    `SELECT \`subjectId\` AS \`id\`, \`occurredAt\` AS \`at\` FROM \`events\` WHERE \`type\` LIKE 'vehicle.%' OR \`type\` LIKE 'driver.%'
      UNION SELECT \`id\`, \`modifiedAt\` AS \`at\` FROM \`vehicles\` WHERE \`addedAt\` = \`deletedAt\`
      UNION SELECT \`id\`, \`modifiedAt\` AS \`at\` FROM \`drivers\` WHERE \`addedAt\` = \`deletedAt\``,
  )
  return new Set(entries.map(({ id, at }) => `${id} ${new Date(Number(at)).toISOString()}`))
}

/** Checks that a reader of the log has every event once and in order. */
export function judgeLogReader(
  checkResults: CheckResults,
  { ids }: LogReader,
  log: readonly { readonly id: string; readonly applicationId: string }[],
  applicationId: string,
): void {
  const mine = log.filter((entry) => entry.applicationId === applicationId)
  checkResults.count('events read', ids.length)
  checkResults.holds(
    ids.length === mine.length,
    `the reader has ${ids.length} events, the log has ${mine.length}`,
  )
  const at = mine.findIndex(({ id }, place) => ids[place] !== id)
  checkResults.holds(at < 0, `event ${at + 1} of the log is ${mine[at]?.id}, the reader has ${ids[at]}`)
}
