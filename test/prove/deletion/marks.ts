import { digestOf } from '../../../src/providers/rate-limit/rate-limit.ts'
import { SAFETY_KINDS } from '../../../src/providers/sandbox/simulator/records/safety/kinds.ts'
import { everyRow, valuesOf } from '../../support/database-dump.ts'
import { lists, recordsOf } from '../chaos/provider-view.ts'
import type { LinkedFleet } from './link-fleet.ts'
import type { Stage } from './stage.ts'

/** What a fleet is found by, wherever it may have got to. */
export interface Marks {
  /** What only this fleet has: its ids, its names, its plates, its numbers, its credentials and tokens. */
  readonly identities: ReadonlySet<string>
  /** Whatever else its rows say: where it was, how fast, what it was told. */
  readonly values: ReadonlySet<string>
  /** What is fit for the database, which still has the stub, and may not be anywhere else. */
  readonly ids: ReadonlySet<string>
  /** What budgets in Redis call its account, while they last: by the clock of Redis, which does not jump. */
  readonly account: string
  readonly rows: number
}

/** What is the caller's own, and the marks of commits, are not the fleet's; that nothing of the fleet is in them is looked at. */
const NOT_THE_FLEETS = /^(applications|api_keys|sessions|audit_log|commits|open_writes) /
/** Shorter numbers are everybody's. */
const LEAST_DIGITS = 9
const NUMBER = /^-?[\d.]+$/
/** Words such as states are everybody's too, as is the address of this machine. */
const OF_ALL = /^([a-z_]+|127\.0\.0\.1)$/
/** So are the names of what drivers do: the neighbour's may do it later. */
const DEEDS = new Set(SAFETY_KINDS.map(({ label }) => label))

/** Gathers them while the fleet is there. */
export async function marksOf(harness: Stage, fleet: LinkedFleet, apiKey: string): Promise<Marks> {
  const { connectionId, token, secrets, words } = fleet
  const rows = [...(await everyRow(harness.db))]
  const deliveries = idsIn(rows, 'webhook_deliveries', connectionId)
  const isIts = (row: string): boolean =>
    !NOT_THE_FLEETS.test(row) &&
    (row.includes(connectionId) || (row.startsWith('webhook_attempts ') && names(row, deliveries)))
  const its = rows.filter(isIts)
  const others = valuesOf(rows.filter((row) => !isIts(row)))
  const stub = valuesOf(its.filter((row) => row.startsWith('connections ')))
  const left = await keptOf(harness, connectionId)
  const isMark = (value: string): boolean =>
    !others.has(value) &&
    !(stub.has(value) && left.has(value)) &&
    !words.includes(value) &&
    !OF_ALL.test(value) &&
    !DEEDS.has(value) &&
    (!NUMBER.test(value) || value.length >= LEAST_DIGITS)
  const told = await toldOf(harness, apiKey)
  const identities = new Set([...secrets, token, ...[...told].filter(isMark)])
  const values = [...valuesOf(its)].filter((value) => isMark(value) && !identities.has(value))
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

/** What the provider tells of this fleet and not of the neighbour, of what it calls by name. */
async function toldOf({ sandbox }: Stage, apiKey: string): Promise<Set<string>> {
  const told = new Set<string>()
  for (const { path, full } of Object.values(lists))
    if (full) {
      const records = await recordsOf(sandbox.url, apiKey, path, null)
      for (const value of valuesOf(records.map((record) => `told ${JSON.stringify(record)}`))) told.add(value)
    }
  return told
}

/** The columns of a connection that are kept for good. */
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
