import type { Id } from '../../domain/ids.ts'
import type { NewEvent } from '../../storage/outbox.ts'
import { toRestJson } from '../schema/rest-serializer.ts'
import { type ReferencedConnection, toEventReference } from '../tables/connection-reference.ts'
import { isFlagged, PurchaseDecision } from './policy/decide.ts'
import { PurchaseEvidence } from './evidence/purchase-evidence.ts'
import { PurchaseCheck } from './purchase-check.ts'

/** Connection of a check, for its events. */
export interface EventConnection extends ReferencedConnection {
  readonly id: Id<'connection'>
  readonly providerName: string | undefined
}

/** Returns the events of a new check. */
export const eventsOf = (check: PurchaseCheck, connection: EventConnection): NewEvent[] =>
  purchaseEvents(
    [
      'purchase.checked',
      ...(check.decision === PurchaseDecision.DECLINE ? ['purchase.declined'] : []),
      ...(isFlagged(check.reasons) ? ['purchase.flagged'] : []),
    ],
    check,
    connection,
  )

/** Returns events about a check, which have the same detail. */
export function purchaseEvents(
  types: readonly string[],
  check: PurchaseCheck,
  { providerName, ...connection }: EventConnection,
): NewEvent[] {
  const { evidence, vehicleId, driverId } = check
  const detail = {
    connection: toEventReference(connection, providerName ?? connection.provider),
    purchaseCheck: toRestJson(PurchaseCheck, check, {
      connection: check.connectionId,
      vehicle: vehicleId,
      driver: driverId,
      authorization: check.authorizationCheckId,
      evidence: toRestJson(PurchaseEvidence, evidence, { driver: evidence.driverId }),
    }),
  }
  return types.map((type) => ({ type, subjectId: check.id, detail }))
}
