import type { Transaction } from '../../../storage/database.ts'
import { arrayHolds } from '../../../storage/sql/dialect.ts'
import { appendEvents } from '../../../storage/outbox.ts'
import { POSITION_EVENTS_OPTION } from '../../../subgraphs/connections/validate-input.ts'
import { visibleReference } from '../connection-filter.ts'
import type { Connection } from '../../../subgraphs/connections/connection.ts'
import { toEventReference } from '../../../subgraphs/tables/connection-reference.ts'
import { SHORT_LIVED } from '../../../subgraphs/events/event-types.ts'
import { LatestVehicleLocation } from '../../../subgraphs/telemetry/location.ts'
import { toRestJson } from '../../../subgraphs/schema/rest-serializer.ts'
import type { Instant } from '../../../domain/time.ts'

/**
 * Appends events of new locations and returns their number. Appends none unless the application requests them, because
 * each poll has one event for each vehicle: in a minute as many as all other events of a day.
 */
export async function emitLocationEvents(
  tx: Transaction,
  connection: Connection,
  providerName: string,
  rows: readonly LatestVehicleLocation[],
  at: Instant,
): Promise<number> {
  if (rows.length === 0 || !(await areRequested(tx, connection))) return 0
  const { id: connectionId, applicationId } = connection
  const reference = toEventReference(connection, providerName)
  const driver = await visibleReference(
    tx,
    connection,
    'driver',
    rows.map(({ driverId }) => driverId),
  )
  await appendEvents(
    tx,
    { applicationId, connectionId, at },
    rows.map((row) => ({
      type: SHORT_LIVED,
      subjectId: row.vehicleId,
      detail: {
        location: toRestJson(LatestVehicleLocation, row, { driver: driver(row.driverId) }),
        connection: reference,
      },
    })),
  )
  return rows.length
}

/** Whether an option of the connection, or an enabled webhook endpoint of the application, requests location events. */
async function areRequested(tx: Transaction, { options, applicationId }: Connection): Promise<boolean> {
  if (options[POSITION_EVENTS_OPTION] === true) return true
  const [endpoint] = await tx.rows(
    `SELECT 1 FROM \`webhook_endpoints\` WHERE \`applicationId\` = ? AND \`disabledAt\` IS NULL
      AND ${arrayHolds(tx.dialect, 'types', '$')} LIMIT 1`,
    [applicationId, SHORT_LIVED],
  )
  return endpoint !== undefined
}
