import { PublicError } from '../../../domain/errors.ts'
import type { Rows } from '../../../storage/database.ts'
import { and, equal, type Tenant, tenantWhere } from '../../../storage/sql/where.ts'
import type { VisibleReads } from '../../tables/visible-reads.ts'
import { hashOfCard } from './purchase-card.ts'

/** Vehicle and driver of a purchase. */
export interface CardHolder {
  readonly vehicleId: string
  readonly driverId: string | null
}

interface FoundCard {
  readonly vehicleId: string | null
  readonly driverId: string | null
  /** Vehicle that the driver drove last. */
  readonly drivenVehicleId: string | null
}

/**
 * Finds the vehicle and the driver of a card with one statement. Throws if the card is not assigned, or its driver drives
 * no vehicle.
 */
export async function findCardHolder(
  { db, visible }: { readonly db: Rows; readonly visible: VisibleReads },
  tenant: Tenant,
  cardId: string,
): Promise<CardHolder> {
  const where = and(tenantWhere(tenant), equal('cardHash', hashOfCard(tenant.applicationId, cardId)))
  const [card] = await db.rows<FoundCard>(
    `SELECT c.vehicleId, c.driverId, (
        SELECT l.vehicleId FROM latest_vehicle_locations AS l
        WHERE l.driverId = c.driverId AND l.applicationId = c.applicationId AND l.connectionId = c.connectionId
        ORDER BY l.locatedAt DESC LIMIT 1
      ) AS drivenVehicleId
      FROM (SELECT * FROM purchase_cards WHERE ${where.sql}) AS c`,
    where.parameters,
  )
  if (!card)
    throw new PublicError('not_found', 'The card is assigned to no vehicle.', {
      detail: 'Assign it with `assignCard`, or give `vehicleId`.',
    })
  const { driverId } = card
  const vehicleId = card.vehicleId ?? ((await visible.reference('drivers', driverId)) && card.drivenVehicleId)
  if (vehicleId === null)
    throw new PublicError('not_found', 'The driver of the card drives no vehicle.', {
      detail: 'Give `vehicleId`.',
    })
  return { vehicleId, driverId }
}
