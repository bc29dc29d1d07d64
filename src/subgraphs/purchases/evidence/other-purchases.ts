import type { Rows } from '../../../storage/database.ts'
import { tableOf, tableWithColumns } from '../../../storage/sql/table.ts'
import { and, equal, equalText, type Tenant, tenantWhere, type Where } from '../../../storage/sql/where.ts'
import { PurchaseCheck } from '../purchase-check.ts'
import { PurchaseDecision } from '../policy/decide.ts'
import type { PurchasePhase } from '../purchase-enums.ts'
import type { OtherPurchase, Purchase } from '../rules/purchase-facts.ts'
import { placeOf } from './merchant-place.ts'
import { litersOf } from './liters-of.ts'

/** Purchases of this time before and after one are compared with it. */
export const COMPARED_MS = 24 * 3_600_000
/** A card that is used more often in this time is flagged anyway. */
const MAX_COMPARED = 50

const table = tableWithColumns(tableOf(PurchaseCheck), [
  'id',
  'vehicleId',
  'cardId',
  'purchasedAt',
  'merchant',
  'amount',
  'fuel',
  'decision',
])

/**
 * Reads the other purchases of the vehicle and of the card with one statement. An authorization is compared with other
 * authorizations, and a capture with other captures.
 */
export async function readOtherPurchases(
  db: Rows,
  caller: Tenant,
  { vehicleId, cardId, purchasedAt }: Purchase,
  phase: PurchasePhase,
): Promise<OtherPurchase[]> {
  const within: Where = {
    sql: '`purchasedAt` >= ? AND `purchasedAt` <= ?',
    parameters: [purchasedAt - COMPARED_MS, purchasedAt + COMPARED_MS],
  }
  const parts = [equal('vehicleId', vehicleId), equalText('cardId', cardId)].flatMap((part) =>
    part ? [and(tenantWhere(caller), part, within, equal('phase', phase))] : [],
  )
  const select = ({ sql }: Where) =>
    `SELECT * FROM (SELECT ${table.selected} FROM \`purchase_checks\` WHERE ${sql}
      ORDER BY \`purchasedAt\` DESC LIMIT ${MAX_COMPARED}) AS part`
  const rows = await db.rows<Record<string, unknown>>(
    parts.map(select).join(' UNION '),
    parts.flatMap(({ parameters }) => parameters),
  )
  return rows.map((row) => table.toRow(row)).map(toOtherPurchase)
}

const toOtherPurchase = (row: PurchaseCheck): OtherPurchase => ({
  purchasedAt: Number(row.purchasedAt),
  vehicleId: row.vehicleId,
  cardId: row.cardId,
  place: placeOf(row.merchant),
  liters: litersOf(row),
  product: row.fuel?.product ?? null,
  isDeclined: row.decision === PurchaseDecision.DECLINE,
})
