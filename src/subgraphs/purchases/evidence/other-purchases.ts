import type { Rows } from '../../../storage/database.ts'
import { tableOf, tableWithColumns } from '../../../storage/sql/table.ts'
import {
  and,
  atLeast,
  atMost,
  equal,
  equalText,
  type Tenant,
  tenantWhere,
} from '../../../storage/sql/where.ts'
import { PurchaseCheck } from '../purchase-check.ts'
import type { Merchant } from '../merchant.ts'
import { PurchaseDecision } from '../policy/decide.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import type { OtherPurchase, Purchase } from '../rules/purchase-facts.ts'
import { COMPARED_MS } from './compared-time.ts'
import { litersOf } from './liters-of.ts'

/** Number of earlier purchases of a vehicle or card that a purchase is compared with. */
export const MAX_COMPARED_BEFORE = 50
const MAX_AFTER = 30

const table = tableWithColumns(tableOf(PurchaseCheck), [
  'id',
  'vehicleId',
  'purchasedAt',
  'merchant',
  'amount',
  'fuel',
  'decision',
  'phase',
  'authorizationCheckId',
])

interface ComparedWith {
  readonly phase: PurchasePhase
  readonly exceptId?: string | null
  readonly afterMs?: number
}

/** Other purchase whose place has not been looked up. */
export interface UnplacedPurchase extends Omit<OtherPurchase, 'place'> {
  readonly merchant: Merchant
}

/**
 * Reads the other purchases of the vehicle and of the card that are closest in time, with one statement: those of a day
 * before it, and until `afterMs` after it. An authorization is compared with other authorizations, and a capture with other
 * captures.
 */
export async function readOtherPurchases(
  db: Rows,
  caller: Tenant,
  { vehicleId, cardId, purchasedAt }: Pick<Purchase, 'vehicleId' | 'cardId' | 'purchasedAt'>,
  { phase, exceptId = null, afterMs = COMPARED_MS }: ComparedWith,
): Promise<UnplacedPurchase[]> {
  const times = [
    { from: purchasedAt - COMPARED_MS, to: purchasedAt, order: `DESC LIMIT ${MAX_COMPARED_BEFORE}` },
    { from: purchasedAt + 1, to: purchasedAt + afterMs, order: `LIMIT ${MAX_AFTER}` },
  ]
  const owners = [equal('vehicleId', vehicleId), equalText('cardId', cardId)].filter(
    (owner) => owner !== null,
  )
  const parts = owners.flatMap((owner) =>
    times.map(({ from, to, order }) => {
      const within = and(owner, atLeast('purchasedAt', from), atMost('purchasedAt', to))
      const { sql, parameters } = and(tenantWhere(caller), within, equal('phase', phase))
      return {
        sql: `SELECT * FROM (SELECT ${table.selected} FROM \`purchase_checks\` WHERE ${sql}
          ORDER BY \`purchasedAt\` ${order}) AS part`,
        parameters,
      }
    }),
  )
  const rows = await db.rows<Record<string, unknown>>(
    parts.map(({ sql }) => sql).join(' UNION ALL '),
    parts.flatMap(({ parameters }) => parameters),
  )
  const byId = new Map(rows.map((row) => [row['id'], row]))
  byId.delete(exceptId)
  return [...byId.values()].map((row) => toUnplacedPurchase(table.toRow(row)))
}

const toUnplacedPurchase = (row: PurchaseCheck): UnplacedPurchase => ({
  purchasedAt: row.purchasedAt,
  vehicleId: row.vehicleId,
  merchant: row.merchant,
  liters: litersOf(row),
  product: row.fuel?.product ?? null,
  authorizationCheckId: row.authorizationCheckId,
  // At a capture, the fuel has been sold whatever the decision.
  isDeclined: row.decision === PurchaseDecision.DECLINE && row.phase === PurchasePhase.AUTHORIZATION,
})
