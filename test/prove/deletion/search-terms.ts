import { digestOf } from '../../../src/providers/rate-limit/rate-limit.ts'
import { SAFETY_KINDS } from '../../../src/providers/sandbox/simulator/records/safety/kinds.ts'
import { everyRow, valuesOf } from '../../support/database/database-dump.ts'
import { lists, recordsOf } from '../chaos/provider-view.ts'
import type { LinkedFleet } from './link-fleet.ts'
import type { Stage } from './stage.ts'

/** Search terms that identify data of a fleet. */
export interface SearchTerms {
  /** Unique values of this fleet: ids, names, plates, numbers, credentials and tokens. */
  readonly identities: ReadonlySet<string>
  /** All other values of its rows, such as positions, speeds and event details. */
  readonly values: ReadonlySet<string>
  /** Ids that remain in the database stub, and must not be anywhere else. */
  readonly ids: ReadonlySet<string>
  /**
   * Key of its account in the rate limits in Redis. They expire by the clock of Redis, which does not jump.
   */
  readonly account: string
  readonly rows: number
}

/** Tables of the caller, and commit markers. A check ensures that they contain nothing of the fleet. */
const CALLER_TABLES = /^(applications|api_keys|sessions|audit_log|request_log|commits|open_writes) /
/** Shorter numbers are not unique. */
const MIN_DIGITS = 9
const NUMBER = /^-?[\d.]+$/
/** Words such as states and constants are not unique, and neither is the address of this machine. */
const COMMON_VALUE = /^([a-z_]+|[A-Z]+(_[A-Z]+)+|127\.0\.0\.1)$/
/** Labels of safety events are not unique: the other fleet may have the same later. */
const SAFETY_LABELS = new Set(SAFETY_KINDS.map(({ label }) => label))

/** Collects the search terms while the fleet exists. */
export async function collectSearchTerms(
  harness: Stage,
  fleet: LinkedFleet,
  apiKey: string,
): Promise<SearchTerms> {
  const { connectionId, token, secrets, integratorTexts } = fleet
  const rows = [...(await everyRow(harness.db))]
  const deliveries = idsIn(rows, 'webhook_deliveries', connectionId)
  const isIts = (row: string): boolean =>
    !CALLER_TABLES.test(row) &&
    (row.includes(connectionId) || (row.startsWith('webhook_attempts ') && names(row, deliveries)))
  const its = rows.filter(isIts)
  const others = valuesOf(rows.filter((row) => !isIts(row)))
  const stub = valuesOf(its.filter((row) => row.startsWith('connections ')))
  const left = await keptOf(harness, connectionId)
  const isUnique = (value: string): boolean =>
    !others.has(value) &&
    !(stub.has(value) && left.has(value)) &&
    !integratorTexts.includes(value) &&
    !COMMON_VALUE.test(value) &&
    !SAFETY_LABELS.has(value) &&
    (!NUMBER.test(value) || value.length >= MIN_DIGITS)
  const reported = await identitiesOf(harness, apiKey)
  const identities = new Set([...secrets, token, ...[...reported].filter(isUnique)])
  const values = [...valuesOf(its)].filter((value) => isUnique(value) && !identities.has(value))
  for (const value of values) if (/^[a-z_]+_[0-9A-HJKMNP-TV-Z]{26}$/.test(value)) identities.add(value)
  return {
    identities,
    values: new Set(values.filter((value) => !identities.has(value))),
    ids: new Set([
      connectionId,
      ...idsIn(rows, 'syncs', connectionId),
      ...idsIn(rows, 'issues', connectionId),
    ]),
    account: digestOf(apiKey),
    rows: its.length,
  }
}

/** Returns the identifying values that the provider returns for this fleet and not for the other one. */
async function identitiesOf({ sandbox }: Stage, apiKey: string): Promise<Set<string>> {
  const reported = new Set<string>()
  for (const { path, full } of Object.values(lists))
    if (full) {
      const records = await recordsOf(sandbox.url, apiKey, path, null)
      for (const value of valuesOf(records.map((record) => `provider ${JSON.stringify(record)}`)))
        reported.add(value)
    }
  return reported
}

/** Columns of a connection that are kept forever. */
const KEPT =
  '`id`, `applicationId`, `provider`, `company`, `account`, `sourceId`, `timeZone`, `tokenHash`, `tokenSealed`'

async function keptOf({ db }: Stage, connectionId: string): Promise<Set<string>> {
  const [row] = await db.rows<{ account: string }>(`SELECT ${KEPT} FROM \`connections\` WHERE \`id\` = ?`, [
    connectionId,
  ])
  const { user: _, ...account } = JSON.parse(row?.account ?? '{}') as Record<string, unknown>
  return valuesOf([`kept ${JSON.stringify({ ...row, account })}`])
}

const idsIn = (rows: readonly string[], table: string, connectionId: string): string[] =>
  rows
    .filter((row) => row.startsWith(`${table} `) && row.includes(connectionId))
    .map((row) => String((JSON.parse(row.slice(table.length + 1)) as { id: unknown }).id))

const names = (row: string, ids: readonly string[]): boolean => ids.some((id) => row.includes(id))
