import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import { invalidMember, PublicError } from '../../../domain/errors.ts'
import { newId } from '../../../domain/ids.ts'
import type { Clock } from '../../../domain/time.ts'
import type { Database, Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { actorOf, recordAudit } from '../../tables/audit-log.ts'
import { lockAgainstDeletion } from '../../tables/lock-against-deletion.ts'
import { validateCardId, requireId } from '../validate-purchase.ts'
import type { AssignCardInput } from './assign-card-input.ts'
import { hashOfCard, PurchaseCard } from './purchase-card.ts'

const table = tableOf(PurchaseCard)

/** Assigns a fuel card to a vehicle, a driver or both. Without them, the assignment ends, and the result is null. */
export async function assignCard(
  { db, clock }: { readonly db: Pick<Database, 'transaction'>; readonly clock: Clock },
  caller: Caller,
  { cardId, vehicleId = null, driverId = null }: AssignCardInput,
): Promise<PurchaseCard | null> {
  requireSecretKey(caller, 'Fuel cards')
  validateCardId(cardId)
  requireId('vehicle', vehicleId)
  requireId('driver', driverId)
  const { applicationId } = caller
  const now = clock.now()
  const cardHash = hashOfCard(applicationId, cardId)
  return db.transaction(async (tx) => {
    const connectionId = await connectionOf(tx, applicationId, { vehicleId, driverId })
    const card: PurchaseCard | null = connectionId && {
      id: newId('purchaseCard', now),
      applicationId,
      connectionId,
      cardHash,
      cardId,
      vehicleId,
      driverId,
      assignedAt: now,
    }
    const removed = await tx.run(
      'DELETE FROM `purchase_cards` WHERE `applicationId` = ? AND `cardHash` = ?',
      [applicationId, cardHash],
    )
    if (card) await tx.insert(table, [card])
    else if (removed === 0) throw new PublicError('not_found', 'The card is not assigned.')
    const change = {
      action: card ? 'purchase_card.assigned' : 'purchase_card.unassigned',
      targetId: vehicleId ?? driverId,
      detail: { cardId },
    }
    await recordAudit(tx, { applicationId, actor: actorOf(caller), at: now }, change)
    return card
  })
}

/** Returns the connection that has the vehicle and the driver; null without both. */
async function connectionOf(
  tx: Transaction,
  applicationId: string,
  { vehicleId, driverId }: Pick<PurchaseCard, 'vehicleId' | 'driverId'>,
): Promise<PurchaseCard['connectionId'] | null> {
  const ofVehicle = vehicleId && (await connectionOfRecord(tx, applicationId, 'vehicle', vehicleId))
  const ofDriver = driverId && (await connectionOfRecord(tx, applicationId, 'driver', driverId))
  if (ofVehicle && ofDriver && ofVehicle !== ofDriver)
    throw invalidMember('driverId', 'Give a driver of the same connection as the vehicle.')
  return ofVehicle ?? ofDriver
}

async function connectionOfRecord(
  tx: Transaction,
  applicationId: string,
  kind: 'vehicle' | 'driver',
  id: string,
): Promise<PurchaseCard['connectionId']> {
  const [row] = await tx.rows<Pick<PurchaseCard, 'connectionId'>>(
    `SELECT \`connectionId\` FROM \`${kind}s\` WHERE \`applicationId\` = ? AND \`id\` = ?`,
    [applicationId, id],
  )
  const isStored = row && (await lockAgainstDeletion(tx, { id: row.connectionId, applicationId }))
  if (!isStored) throw new PublicError('not_found', `There is no such ${kind}.`)
  return row.connectionId
}
