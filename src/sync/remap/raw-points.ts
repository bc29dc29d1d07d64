import { idPrefixes, idTimeOf } from '../../domain/ids.ts'
import type { Rows } from '../../storage/database.ts'
import { tupleIn } from '../../storage/sql/dialect.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { RawPoint } from '../../subgraphs/tables/raw-record.ts'
import type { TimeSeriesModel } from '../ingest/time-series-store.ts'
import { BATCH_SIZE } from './raw-records.ts'
import type { ReadRows } from './source.ts'

const table = tableOf(RawPoint)

/** Condition on the column `series` by model. All locations are one series; each measurement type is a series. */
const seriesOf = {
  VehicleLocation: "`series` = 'location'",
  VehicleStatLog: "`series` <> 'location'",
} as const satisfies Record<TimeSeriesModel, string>

/** Reads the raw points of a connection in pages, vehicle by vehicle, in the order of the clustered index. */
export async function* rawPointsOf(
  db: Rows,
  connection: Connection,
  model: TimeSeriesModel,
): AsyncGenerator<RawPoint[]> {
  for await (const ownerId of ownersIn(db, connection))
    for (let after: Pick<RawPoint, 'at' | 'series'> = { at: -1, series: '' }; ;) {
      const rows = await db.rows<Record<string, unknown>>(
        `SELECT ${table.selected} FROM \`raw_points\` WHERE \`ownerId\` = ? AND \`at\` >= ?
          AND (\`at\` > ? OR \`series\` > ?) AND \`connectionId\` = ? AND \`applicationId\` = ?
          AND ${seriesOf[model]} ORDER BY \`at\`, \`series\` LIMIT ${BATCH_SIZE}`,
        [ownerId, after.at, after.at, after.series, connection.id, connection.applicationId],
      )
      const points = rows.map(toPoint)
      if (points.length > 0) yield points
      const last = points.at(-1)
      if (points.length < BATCH_SIZE || !last) break
      after = last
    }
}

/** Yields the vehicles with raw points. The ids of a connection's vehicles share a time part, so they are one range. */
async function* ownersIn(db: Rows, { id, applicationId }: Connection): AsyncGenerator<string> {
  const first = `${idPrefixes.vehicle}_${idTimeOf(id)}`
  for (let after = first; ;) {
    const [next] = await db.rows<Pick<RawPoint, 'ownerId'>>(
      `SELECT \`ownerId\` FROM \`raw_points\` WHERE \`ownerId\` > ? AND \`ownerId\` < ? AND \`connectionId\` = ?
        AND \`applicationId\` = ? ORDER BY \`ownerId\` LIMIT 1`,
      [after, `${first}~`, id, applicationId],
    )
    if (!next) return
    yield next.ownerId
    after = next.ownerId
  }
}

type PointKey = Pick<RawPoint, 'ownerId' | 'at' | 'series'>

export const pointKeyText = ({ ownerId, at, series }: PointKey): string => `${ownerId}/${at}/${series}`

export async function rawPointsWith(
  db: ReadRows,
  { id, applicationId }: Connection,
  keys: readonly PointKey[],
): Promise<RawPoint[]> {
  if (keys.length === 0) return []
  const condition = tupleIn(
    db.dialect,
    ['ownerId', 'at', 'series'],
    keys.map(({ ownerId, at, series }) => [ownerId, at, series]),
  )
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`raw_points\` WHERE \`connectionId\` = ? AND \`applicationId\` = ?
      AND ${condition.sql}`,
    [id, applicationId, ...condition.parameters],
  )
  return rows.map(toPoint)
}

function toPoint(row: Record<string, unknown>): RawPoint {
  const point = table.toRow(row)
  return { ...point, at: Number(point.at), extractedAt: Number(point.extractedAt) }
}
