import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import { invalidMember, PublicError } from '../../../domain/errors.ts'
import { newId } from '../../../domain/ids.ts'
import type { Clock } from '../../../domain/time.ts'
import type { Database, Transaction } from '../../../storage/database.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { lockAgainstDeletion } from '../../tables/lock-against-deletion.ts'
import type { VisibleRequester } from '../../tables/visible-reads.ts'
import { requireId, validateCardId } from '../validate-purchase.ts'
import type { AssignCardInput, UnassignCardInput } from './assign-card-input.ts'
import { hashOfCard, PurchaseCard } from './purchase-card.ts'

interface CardDeps {
  readonly db: Pick<Database, 'transaction'>
  readonly clock: Clock
}

const table = tableOf(PurchaseCard)

/** Assigns a fuel card to a vehicle, a driver or both. */
export async function assignCard(
  { db, clock }: CardDeps,
  { caller, visible }: VisibleRequester,
  { cardId, vehicleId = null, driverId = null }: AssignCardInput,
): Promise<PurchaseCard> {
  requireSecretKey(caller, 'Fuel cards')
  validateCardId(cardId)
  requireId('vehicle', vehicleId)
  requireId('driver', driverId)
  if (vehicleId && !(await visible.reference('vehicles', vehicleId))) throw noSuch('vehicle')
  if (driverId && !(await visible.reference('drivers', driverId))) throw noSuch('driver')
  const { applicationId } = caller
  const now = clock.now()
  return db.transaction(async (tx) => {
    const card: PurchaseCard = {
      id: newId('purchaseCard', now),
      applicationId,
      connectionId: await connectionOf(tx, applicationId, { vehicleId, driverId }),
      cardHash: hashOfCard(applicationId, cardId),
      cardId,
      vehicleId,
      driverId,
      assignedAt: now,
    }
    const before = await removeCard(tx, card)
    await tx.insert(table, [card])
    await recordAudit(tx, auditedBy(caller, now), {
      action: 'purchase_card.assigned',
      targetId: vehicleId ?? driverId,
      detail: { cardId, vehicleId, driverId, before },
    })
    return card
  })
}

/** Ends the assignment of a fuel card. If there is none, nothing changes. Returns whether there was one. */
export async function unassignCard(
  { db, clock }: CardDeps,
  caller: Caller,
  { cardId }: UnassignCardInput,
): Promise<boolean> {
  requireSecretKey(caller, 'Fuel cards')
  validateCardId(cardId)
  const { applicationId } = caller
  return db.transaction(async (tx) => {
    const before = await removeCard(tx, { applicationId, cardHash: hashOfCard(applicationId, cardId) })
    if (!before) return false
    await recordAudit(tx, auditedBy(caller, clock.now()), {
      action: 'purchase_card.unassigned',
      targetId: before.vehicleId ?? before.driverId,
      detail: { cardId, before },
    })
    return true
  })
}

type Holder = Pick<PurchaseCard, 'vehicleId' | 'driverId'>

/** Removes the assignment of a card. Returns whose it was; null if there was none. */
async function removeCard(
  tx: Transaction,
  { applicationId, cardHash }: Pick<PurchaseCard, 'applicationId' | 'cardHash'>,
): Promise<Holder | null> {
  const where = '`applicationId` = ? AND `cardHash` = ?'
  const [before] = await tx.rows<Holder>(
    `SELECT \`vehicleId\`, \`driverId\` FROM \`purchase_cards\` WHERE ${where}${forUpdate(tx.dialect)}`,
    [applicationId, cardHash],
  )
  if (!before) return null
  await tx.run(`DELETE FROM \`purchase_cards\` WHERE ${where}`, [applicationId, cardHash])
  return { ...before }
}

/** Returns the connection that has the vehicle and the driver. */
async function connectionOf(
  tx: Transaction,
  applicationId: string,
  { vehicleId, driverId }: Holder,
): Promise<PurchaseCard['connectionId']> {
  const ofVehicle =
    vehicleId === null ? null : await connectionOfRecord(tx, applicationId, 'vehicle', vehicleId)
  const ofDriver = driverId === null ? null : await connectionOfRecord(tx, applicationId, 'driver', driverId)
  const connectionId = ofVehicle ?? ofDriver
  if (connectionId === null) throw invalidMember('vehicleId', 'Give `vehicleId`, `driverId` or both.')
  if (ofDriver !== null && ofDriver !== connectionId)
    throw invalidMember('driverId', 'Give a driver of the same connection as the vehicle.')
  return connectionId
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
  if (!isStored) throw noSuch(kind)
  return row.connectionId
}

const noSuch = (kind: 'vehicle' | 'driver') => new PublicError('not_found', `There is no such ${kind}.`)
