import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../../../src/storage/database.ts'
import { Connection } from '../../../../src/subgraphs/connections/connection.ts'
import { findById } from '../../../../src/storage/find-by-id.ts'
import type { ProviderRecord } from '../../../../src/subgraphs/tables/provider-record.ts'
import { type StoredModel, storedModels } from '../../../../src/sync/pipeline/stored-models.ts'
import { snapshotsOf } from '../../../../src/sync/pipeline/events/event-snapshots.ts'
import type { CheckResults } from '../check-results.ts'

interface Entry {
  readonly id: string
  readonly applicationId: string
  readonly connectionId: string
  readonly type: string
  readonly occurredAt: number
  readonly subjectId: string | null
  readonly detail: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly position: number | null
}

/** Returns the log of every application in order. */
export async function logOf(db: Database): Promise<Entry[]> {
  const rows = await db.rows<Entry & { detail: string }>(
    'SELECT `id`, `applicationId`, `connectionId`, `type`, `occurredAt`, `subjectId`, `detail`, `position` FROM `events` ORDER BY `applicationId`, `position`',
  )
  return rows.map((row) => ({
    ...row,
    occurredAt: Number(row.occurredAt),
    position: row.position === null ? null : Number(row.position),
    detail: JSON.parse(row.detail) as Entry['detail'],
  }))
}

/** Checks that positions are unique and gapless in each application. */
export function judgePositions(checkResults: CheckResults, log: readonly Entry[]): void {
  const newest = new Map<string, number>()
  for (const { id, applicationId, position } of log) {
    const before = newest.get(applicationId) ?? 0
    checkResults.count('events')
    checkResults.holds(position === before + 1, `${id} is at ${position}, after ${before}`)
    newest.set(applicationId, Number(position))
  }
}

/**
 * Checks that every change has exactly one event: a record's events are its history and end with its stored
 * state.
 */
export async function judgeHistories(
  checkResults: CheckResults,
  db: Database,
  log: readonly Entry[],
): Promise<void> {
  const bySubject = new Map<string, Entry[]>()
  for (const entry of log) {
    const mine = bySubject.get(String(entry.subjectId)) ?? []
    mine.push(entry)
    bySubject.set(String(entry.subjectId), mine)
  }
  for (const model of ['Vehicle', 'Driver', 'SafetyEvent'] as const) {
    const stored = storedModels[model] as unknown as StoredModel<unknown>
    const { table, events } = stored
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT ${table.selected}, \`connectionId\` FROM \`${table.name}\``,
    )
    const known = new Set<string>()
    for (const row of rows) {
      const record = table.toRow(row)
      known.add(record.id)
      const [now = {}] = await wordsNow(db, record, stored)
      judgeHistory(
        checkResults,
        record,
        reported(now),
        bySubject.get(record.id) ?? [],
        String(events?.member),
      )
    }
    for (const { id, type, subjectId } of log)
      if (type.startsWith(`${events?.prefix}.`))
        checkResults.holds(
          known.has(String(subjectId)),
          `${id} ${type} is about ${subjectId}, which is not stored`,
        )
  }
}

/** Allowed successors of an event: a record is added, changes, is removed and may return. */
const after: Readonly<Record<string, readonly string[]>> = {
  '': ['added'],
  added: ['modified', 'removed'],
  modified: ['modified', 'removed'],
  removed: ['added'],
}

async function wordsNow(db: Database, record: ProviderRecord, model: StoredModel<unknown>) {
  const connection = await findById(db, Connection, record.connectionId)
  return connection ? snapshotsOf(db, connection, model, [record]) : []
}

function judgeHistory(
  checkResults: CheckResults,
  row: ProviderRecord,
  now: object,
  history: readonly Entry[],
  name: string,
): void {
  let before = ''
  let stated: object | null = null
  let at = 0
  for (const { id, type, occurredAt, detail } of history) {
    const kind = String(type.split('.')[1])
    checkResults.count(kind)
    checkResults.holds(
      after[before]?.includes(kind),
      `${row.id}: ${id} is ${kind} after ${before || 'nothing'}`,
    )
    const state = reported(detail[name] ?? {})
    checkResults.holds(!isDeepStrictEqual(state, stated), `${row.id}: ${id} ${kind} changes nothing`)
    checkResults.holds(occurredAt > at, `${row.id}: ${id} is of ${occurredAt}, after one of ${at}`)
    ;[before, stated, at] = [kind, state, occurredAt]
  }
  if (history.length === 0) return checkResults.holds(row.deletedAt !== null, `${row.id} has no event`)
  const isThere = row.deletedAt === null
  checkResults.holds(
    isThere === (before !== 'removed'),
    `${row.id} is ${isThere ? '' : 'not '}there after ${before}`,
  )
  checkResults.holds(
    at === Number(row.modifiedAt),
    `${row.id} was modified at ${row.modifiedAt}, its last event is of ${at}`,
  )
  checkResults.holds(
    isDeepStrictEqual(stated, now),
    `${row.id} is ${JSON.stringify(now)}, its last event has ${JSON.stringify(stated)}`,
  )
}

/** Returns a record's own values, without its write time and its relations. */
function reported(record: object): object {
  const { metadata, devices: _, ...values } = record as Readonly<Record<string, Record<string, unknown>>>
  return { ...values, isDeleted: metadata?.['deletedAt'] !== undefined }
}

/** Checks that each sync has one event when requested, one when started and one when ended. */
export async function judgeSyncs(
  checkResults: CheckResults,
  db: Database,
  log: readonly Entry[],
): Promise<void> {
  const counts = new Map<string, number>()
  for (const { type, subjectId } of log)
    counts.set(`${subjectId} ${type}`, (counts.get(`${subjectId} ${type}`) ?? 0) + 1)
  const syncs = await db.rows<{ id: string; status: string; attempts: number; failureReason: string | null }>(
    'SELECT `id`, `status`, `attempts`, `failureReason` FROM `syncs`',
  )
  for (const { id, status, attempts, failureReason } of syncs) {
    const reported = (type: string) => counts.get(`${id} ${type}`) ?? 0
    checkResults.count(failureReason === null ? status : `${status} (${failureReason})`)
    checkResults.holds(
      reported('sync.requested') === 1,
      `${id} was requested ${reported('sync.requested')} times`,
    )
    const started = Number(attempts) > 0 ? 1 : 0
    checkResults.holds(
      reported('sync.started') === started,
      `${id} was started ${reported('sync.started')} times`,
    )
    const ended = reported('sync.completed') + reported('sync.failed')
    checkResults.holds(
      ended === 1 && reported(`sync.${status}`) === 1,
      `${id} is ${status} and has ${ended} events of its end`,
    )
  }
}
