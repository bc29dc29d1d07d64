import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Transaction } from '../../../storage/database.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn, KeyColumn } from '../../../storage/sql/columns.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { type ObservedFill, withFill } from '../evidence/learnt-tank.ts'

/** The last fills of a vehicle, by time. */
@Entity('vehicle_fills')
@Indexes(['connectionId', 'vehicleId'])
export class FillHistory {
  @KeyColumn()
  vehicleId: Id<'vehicle'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @JsonColumn()
  fills: readonly ObservedFill[]

  @InstantColumn()
  modifiedAt: Instant
}

const table = tableOf(FillHistory)

/** Adds a fill to those of its vehicle. */
export async function recordFill(
  tx: Transaction,
  vehicle: Omit<FillHistory, 'fills'>,
  fill: ObservedFill,
): Promise<void> {
  const [row] = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`vehicle_fills\` WHERE \`vehicleId\` = ? AND \`applicationId\` = ?${forUpdate(tx.dialect)}`,
    [vehicle.vehicleId, vehicle.applicationId],
  )
  const fills = withFill(row ? table.toRow(row).fills : [], fill)
  await tx.upsert(table, [{ ...vehicle, fills }])
}
