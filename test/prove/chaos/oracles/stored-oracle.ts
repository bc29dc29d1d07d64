import { isDeepStrictEqual } from 'node:util'
import { sandboxAdapter } from '../../../../src/providers/sandbox/adapter.ts'
import { readParts } from '../../../../src/providers/mapping/readable-parts.ts'
import type { Reader } from '../../../../src/providers/provider.ts'
import type { Database } from '../../../../src/storage/database.ts'
import { derivedId, type Id } from '../../../../src/domain/ids.ts'
import { idResolverFor } from '../../../../src/sync/ingest/resolve-ids.ts'
import { type StoredModel, storedModels } from '../../../../src/sync/pipeline/stored-models.ts'
import type { ProviderRecord } from '../../../../src/subgraphs/tables/provider-record.ts'
import type { Fleet } from '../fleets.ts'
import { type ListedModel, lists, recordsOf } from '../provider-view.ts'
import type { CheckResults } from '../check-results.ts'

type Json = Readonly<Record<string, unknown>>

/** Checks that stored data equals the provider's: existing records, deleted records and their values. */
export async function judgeStored(
  checkResults: CheckResults,
  db: Database,
  providerUrl: string,
  fleets: readonly Fleet[],
): Promise<void> {
  for (const fleet of fleets) {
    for (const model of Object.keys(lists) as ListedModel[])
      await judgeModel(checkResults, db, providerUrl, fleet, model)
  }
}

const readers = sandboxAdapter('http://127.0.0.1:9').readers

async function judgeModel(
  checkResults: CheckResults,
  db: Database,
  url: string,
  { connectionId, apiKey }: Fleet,
  model: ListedModel,
): Promise<void> {
  const { path, full } = lists[model]
  const period = full ? null : await periodOf(db, connectionId)
  const records = await recordsOf(url, apiKey, path, period)
  const there = new Map(
    records.filter(({ removedAt }) => removedAt == null).map((raw) => [String(raw['id']), raw]),
  )
  const stored = storedModels[model] as unknown as StoredModel<unknown>
  const rows = await rowsOf(db, stored, connectionId)
  const where = `${model} of ${connectionId}`
  const present = rows.filter(({ deletedAt }) => deletedAt === null)
  checkResults.count('stored records that the provider has', present.length)
  checkResults.count('deleted records that the provider no longer has', rows.length - present.length)
  for (const { sourceId } of present)
    checkResults.holds(
      there.has(sourceId),
      `${where}: ${sourceId} is stored, and the provider does not have it`,
    )
  const known = new Map(present.map((row) => [row.sourceId, row]))
  for (const [sourceId, raw] of there) {
    const row = known.get(sourceId)
    if (!row && !isReadable(readers[model] as Reader<unknown>, raw)) {
      checkResults.count('skipped records of an unknown kind')
      continue
    }
    checkResults.holds(row, `${where}: the provider has ${sourceId}, and it is not stored`)
    if (row)
      judgeFields(checkResults, where, stored, readers[model] as Reader<unknown>, connectionId, raw, row)
  }
}

/**
 * Returns whether a reader supports a record. Real providers send a few unsupported ones, which are skipped
 * and reported.
 */
function isReadable(reader: Reader<unknown>, raw: Json): boolean {
  try {
    readParts(raw, (readable) => reader.normalize(readable))
    return true
  } catch {
    return false
  }
}

function judgeFields(
  checkResults: CheckResults,
  where: string,
  stored: StoredModel<unknown>,
  reader: Reader<unknown>,
  connectionId: string,
  raw: Json,
  row: ProviderRecord,
): void {
  const { result: normalized } = readParts(raw, (readable) => reader.normalize(readable))
  const expected = stored.columns(normalized, idResolverFor(connectionId as Id<'connection'>))
  for (const [column, value] of Object.entries(expected)) {
    const found = (row as unknown as Json)[column] ?? null
    checkResults.holds(
      isDeepStrictEqual(found, value ?? null),
      `${where}: ${row.sourceId} has ${column} ${JSON.stringify(found)} instead of ${JSON.stringify(value)}`,
    )
  }
}

async function rowsOf(
  db: Database,
  { table }: StoredModel<unknown>,
  connectionId: string,
): Promise<ProviderRecord[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`${table.name}\` WHERE \`connectionId\` = ?`,
    [connectionId],
  )
  return rows.map((row) => table.toRow(row))
}

/** Returns the start of the first sync's window and the request time of the last completed sync. */
async function periodOf(db: Database, connectionId: string): Promise<{ from: number; to: number }> {
  const [row] = await db.rows<{ from: number; to: number }>(
    `SELECT LEAST(c.\`createdAt\`, COALESCE(c.\`backfillFrom\`, c.\`createdAt\`)) AS \`from\`,
      (SELECT MAX(\`requestedAt\`) FROM \`syncs\` AS s WHERE s.\`connectionId\` = c.\`id\` AND s.\`status\` = 'completed') AS \`to\`
      FROM \`connections\` AS c WHERE c.\`id\` = ?`,
    [connectionId],
  )
  return { from: Number(row?.from), to: Number(row?.to) }
}

/** Checks that managed polling has stored the provider's current data: none of its schedules is stuck. */
export async function judgeLatest(
  checkResults: CheckResults,
  db: Database,
  url: string,
  fleet: Fleet,
): Promise<void> {
  const id = fleet.connectionId as Id<'connection'>
  const rows = await db.rows<{ vehicleId: string; locatedAt: number }>(
    'SELECT `vehicleId`, `locatedAt` FROM `latest_vehicle_locations` WHERE `connectionId` = ?',
    [id],
  )
  const known = new Map(rows.map((row) => [row.vehicleId, Number(row.locatedAt)]))
  for (const raw of await recordsOf(url, fleet.apiKey, '/locations', null)) {
    const at = Date.parse(String(raw['time']))
    checkResults.count('latest locations')
    checkResults.holds(
      known.get(derivedId('vehicle', id, String(raw['vehicleId']))) === at,
      `${raw['vehicleId']} of ${id} is not at the provider's position: ${JSON.stringify(raw)}`,
    )
  }
}
