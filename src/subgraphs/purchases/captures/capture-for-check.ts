import type { Caller } from '../../../auth/caller.ts'
import { invalidMember, PublicError } from '../../../domain/errors.ts'
import { byIndex } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, equal, equalText, tenantWhere } from '../../../storage/sql/where.ts'
import type { VisibleRequester } from '../../tables/visible-reads.ts'
import { checkPurchase, type CheckedPurchase, type PurchaseCommandDeps } from '../check-purchase.ts'
import { deadlineOf, logFailure } from '../deadline.ts'
import { PurchaseCheck } from '../purchase-check.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import { requireId, requireText } from '../validate-purchase.ts'
import type { CaptureForCheckInput } from './capture-for-check-input.ts'

const table = tableOf(PurchaseCheck)

/**
 * Checks the capture of a purchase like a purchase: with the vehicle, the driver, the card and the merchant of its
 * authorization. Throws if the application has no such check, or the database does not return it in time.
 */
export async function captureForCheck(
  deps: PurchaseCommandDeps,
  requester: VisibleRequester,
  { checkId, authorizationId, ...capture }: CaptureForCheckInput,
): Promise<CheckedPurchase> {
  if ((checkId == null) === (authorizationId == null))
    throw invalidMember('checkId', 'Give either `checkId` or `authorizationId`.')
  requireId('purchaseCheck', checkId, 'checkId')
  requireText(authorizationId, 'authorizationId')
  const found = await deadlineOf(deps).settle(
    findAuthorization(deps, requester.caller, { checkId, authorizationId }),
  )
  logFailure(deps.log, found, 'purchase authorization read failed')
  if (!found.isDone)
    throw new PublicError('service_unavailable', 'The authorization could not be read in time.', {
      detail: 'Nothing was recorded. Send the capture again with the same idempotency key.',
      retryAfterSeconds: 1,
    })
  const authorization = found.value
  if (!authorization)
    throw new PublicError('not_found', 'There is no such authorization.', {
      detail: 'If its check was not recorded, check the capture with `checkPurchase`.',
    })
  const { id, vehicleId, driverId, cardId, merchant, purchasedAt } = authorization
  const purchase = {
    ...capture,
    authorizationId: authorization.authorizationId,
    vehicleId,
    driverId,
    cardId,
    merchant,
    at: capture.at ?? purchasedAt,
    phase: PurchasePhase.CAPTURE,
  }
  return checkPurchase(deps, requester, purchase, id)
}

/** Finds the first check of an authorization by the id of the check or of the card network. */
async function findAuthorization(
  { db }: Pick<PurchaseCommandDeps, 'db'>,
  caller: Caller,
  { checkId, authorizationId }: Pick<CaptureForCheckInput, 'checkId' | 'authorizationId'>,
): Promise<PurchaseCheck | undefined> {
  const key = checkId == null ? equalText('authorizationId', authorizationId) : equal('id', checkId)
  const hint =
    checkId == null ? byIndex(db.dialect, table.name, ['applicationId', 'authorizationId', 'id']) : ''
  const where = and(tenantWhere(caller), key, equal('phase', PurchasePhase.AUTHORIZATION))
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_checks\`${hint} WHERE ${where.sql} ORDER BY \`id\` LIMIT 1`,
    where.parameters,
  )
  return row && table.toRow(row)
}
