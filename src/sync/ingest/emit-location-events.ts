import type { Transaction } from '../../storage/database.ts'
import { arrayHolds } from '../../storage/sql/dialect.ts'
import { appendEvents } from '../../storage/outbox.ts'
import { POSITION_EVENTS_OPTION } from '../../subgraphs/connections/validate-input.ts'
import { toEventReference, type Connection } from '../../subgraphs/connections/connection.ts'
import { SHORT_LIVED } from '../../subgraphs/events/event-types.ts'
import { LatestVehicleLocation } from '../../subgraphs/telemetry/location.ts'
import { toRestJson } from '../../subgraphs/schema/rest-serializer.ts'
import type { Instant } from '../../domain/time.ts'
import { recordEvent } from '../../storage/record-event.ts'

/**
 * Tells of newer positions where somebody wants to know: there is one for each vehicle and poll, as many as all other
 * events of a day in a minute. Gives how many it told of.
 */
export async function emitLocationEvents(
  tx: Transaction,
  connection: Connection,
  providerName: string,
  rows: readonly LatestVehicleLocation[],
  at: Instant,
): Promise<number> {
  if (rows.length === 0 || !(await areWanted(tx, connection))) return 0
  const { id: connectionId, applicationId } = connection
  const brief = toEventReference(connection, providerName)
  await appendEvents(
    tx,
    { applicationId, connectionId, at },
    rows.map((row) =>
      recordEvent(SHORT_LIVED, 'location', row.vehicleId, toRestJson(LatestVehicleLocation, row), brief),
    ),
  )
  return rows.length
}

/** By an option of the connection, or by an endpoint of its application that names them. */
async function areWanted(tx: Transaction, { options, applicationId }: Connection): Promise<boolean> {
  if (options[POSITION_EVENTS_OPTION] === true) return true
  const [endpoint] = await tx.rows(
    `SELECT 1 FROM \`webhook_endpoints\` WHERE \`applicationId\` = ? AND \`disabledAt\` IS NULL
      AND ${arrayHolds(tx.dialect, 'types', '$')} LIMIT 1`,
    [applicationId, SHORT_LIVED],
  )
  return endpoint !== undefined
}
