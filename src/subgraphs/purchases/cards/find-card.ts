import { PublicError } from '../../../domain/errors.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Rows } from '../../../storage/database.ts'
import { and, equal, type Tenant, tenantWhere } from '../../../storage/sql/where.ts'
import type { VisibleReads } from '../../tables/visible-reads.ts'
import { hashOfCard } from './purchase-card.ts'

/** Vehicle and driver of a purchase. */
export interface CardHolder {
  readonly vehicleId: string
  readonly driverId: string | null
}

interface CardUse {
  readonly cardId: string
  readonly purchasedAt: Instant
  readonly now: Instant
}

interface FoundCard {
  readonly vehicleId: string | null
  readonly driverId: string | null
  /** Vehicle that the driver drove last. */
  readonly drivenVehicleId: string | null
}

/** A driver who was last seen in a vehicle before this time may have left it. */
const MAX_SEEN_AGO_MS = 12 * 3_600_000
/** The vehicle that a driver drives now shows nothing about a purchase before this time. */
const MAX_PURCHASED_AGO_MS = 3_600_000

/**
 * Finds the vehicle and the driver of a card with one statement. Throws if the card is not assigned, or it is not known
 * which vehicle its driver drove at the time of the purchase.
 */
export async function findCardHolder(
  { db, visible }: { readonly db: Rows; readonly visible: VisibleReads },
  tenant: Tenant,
  { cardId, purchasedAt, now }: CardUse,
): Promise<CardHolder> {
  const where = and(tenantWhere(tenant), equal('cardHash', hashOfCard(tenant.applicationId, cardId)))
  const [card] = await db.rows<FoundCard>(
    `SELECT c.vehicleId, c.driverId, (
        SELECT l.vehicleId FROM latest_vehicle_locations AS l
        JOIN vehicles AS v ON v.id = l.vehicleId AND v.deletedAt IS NULL
        WHERE l.driverId = c.driverId AND l.applicationId = c.applicationId AND l.connectionId = c.connectionId
          AND l.locatedAt >= ?
        ORDER BY l.locatedAt DESC LIMIT 1
      ) AS drivenVehicleId
      FROM (SELECT * FROM purchase_cards WHERE ${where.sql}) AS c`,
    [now - MAX_SEEN_AGO_MS, ...where.parameters],
  )
  if (!card)
    throw new PublicError('not_found', 'The card is assigned to no vehicle.', {
      detail: 'Assign it with `assignCard`, or give `vehicleId`.',
    })
  const { driverId } = card
  const isRecent = purchasedAt >= now - MAX_PURCHASED_AGO_MS
  const vehicleId = card.vehicleId ?? (isRecent ? await drivenVehicle(visible, card) : null)
  if (vehicleId === null)
    throw new PublicError('not_found', 'It is not known which vehicle the driver of the card drove.', {
      detail: 'Give `vehicleId`.',
    })
  return { vehicleId, driverId }
}

/** Returns the vehicle that a driver drives; null if there is none, or a filter hides the vehicle or the driver. */
async function drivenVehicle(
  visible: VisibleReads,
  { driverId, drivenVehicleId }: FoundCard,
): Promise<string | null> {
  const shown = await Promise.all([
    visible.reference('drivers', driverId),
    visible.reference('vehicles', drivenVehicleId),
  ])
  return shown.includes(null) ? null : drivenVehicleId
}
