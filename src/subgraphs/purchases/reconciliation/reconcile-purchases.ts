import type { Clock, Instant } from '../../../domain/time.ts'
import type { Registry } from '../../../providers/registry.ts'
import type { Notifier } from '../../../queue/notifier.ts'
import type { Database } from '../../../storage/database.ts'
import { appendEvents, OUTBOX_TOPIC } from '../../../storage/outbox.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { createVisibleReads } from '../../tables/visible-reads.ts'
import { purchaseEvents } from '../events.ts'
import { litersOf } from '../evidence/liters-of.ts'
import { readOtherPurchases } from '../evidence/other-purchases.ts'
import { vehicleFacts } from '../evidence/read-facts.ts'
import { findVehicle, type VehicleRow } from '../evidence/vehicle-row.ts'
import { isFlagged } from '../policy/decide.ts'
import { readEffectivePolicy } from '../policy/effective-policy.ts'
import { evaluateRules, reconciledRules, type RuleFinding } from '../policy/policy.ts'
import { targetsOf } from '../policy/policy-target.ts'
import { PurchaseCheck } from '../purchase-check.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import { readRefill } from './read-refill.ts'
import { nextReconciliation } from './schedule.ts'

interface ReconciliationDeps {
  readonly db: Pick<Database, 'rows' | 'dialect' | 'transaction'>
  readonly registry: Registry
  readonly notifier: Pick<Notifier, 'notify'>
  readonly clock: Clock
}

const table = tableOf(PurchaseCheck)
const CHECKS_PER_BATCH = 100

/**
 * Compares captures with the fuel levels that have arrived since, and records what the rules found with its events. After
 * days off it continues with the oldest.
 */
export async function reconcilePurchases(deps: ReconciliationDeps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const failures: unknown[] = []
  for (let last: DueCheck | undefined = { reconcileAt: 0, id: '' }; last;) {
    const checks: PurchaseCheck[] = await readDue(deps, now, last)
    for (const check of checks) {
      signal.throwIfAborted()
      await reconcile(deps, check, now).catch((error: unknown) => failures.push(error))
    }
    last = checks.length === CHECKS_PER_BATCH ? checks.at(-1) : undefined
  }
  // The failed ones stay due, and did not hold up the others.
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} purchases were not reconciled`)
}

type DueCheck = Pick<PurchaseCheck, 'reconcileAt'> & { readonly id: string }

/** Reads the checks that are due, from the one after `last`. */
async function readDue(
  { db }: ReconciliationDeps,
  now: Instant,
  { reconcileAt, id }: DueCheck,
): Promise<PurchaseCheck[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_checks\`
      WHERE \`reconcileAt\` >= ? AND \`reconcileAt\` <= ? AND (\`reconcileAt\` > ? OR \`id\` > ?)
      ORDER BY \`reconcileAt\`, \`id\` LIMIT ${CHECKS_PER_BATCH}`,
    [reconcileAt, now, reconcileAt, id],
  )
  return rows.map((row) => table.toRow(row))
}

async function reconcile(deps: ReconciliationDeps, check: PurchaseCheck, now: Instant): Promise<void> {
  const { db, registry, notifier } = deps
  const { applicationId, connectionId, id, reconcileAt } = check
  if (connectionId === null) return
  const tenant = { applicationId, connectionIds: [connectionId] }
  const vehicle = await findVehicle(db, tenant, { vehicleId: check.vehicleId, driverId: null })
  const findings = vehicle ? await findingsOf(deps, check, vehicle) : []
  const reconcileNext = nextReconciliation(check.purchasedAt, now, findings)
  const isFinal = vehicle !== null && findings.length > 0 && reconcileNext === null
  const reconciled = { ...check, reconciliation: isFinal ? { reconciledAt: now, reasons: findings } : null }
  const isRecorded = await db.transaction(async (tx) => {
    // Another worker may have reconciled the check.
    const changed = await tx.run(
      'UPDATE `purchase_checks` SET `reconcileAt` = ?, `reconciliation` = ? WHERE `id` = ? AND `reconcileAt` = ?',
      [reconcileNext, isFinal ? JSON.stringify(reconciled.reconciliation) : null, id, reconcileAt],
    )
    if (changed === 0 || !isFinal) return false
    const { name } = registry.find(vehicle.connection.provider)?.manifest ?? {}
    const types = ['purchase.reconciled', ...(isFlagged(findings) ? ['purchase.flagged'] : [])]
    const events = purchaseEvents(types, reconciled, { ...vehicle.connection, providerName: name })
    await appendEvents(tx, { applicationId, connectionId, at: now }, events)
    return true
  })
  if (isRecorded) notifier.notify(OUTBOX_TOPIC)
}

/** Returns what the rules find that need the later fuel levels. Nothing is used of a hidden vehicle. */
async function findingsOf(
  { db }: ReconciliationDeps,
  check: PurchaseCheck,
  vehicle: VehicleRow,
): Promise<RuleFinding[]> {
  const { vehicleId, driverId, cardId, purchasedAt, fuel } = check
  const tenant = { applicationId: check.applicationId, connectionIds: [vehicle.connection.id] }
  const shown = await createVisibleReads(db, tenant).reference('vehicles', vehicleId)
  const purchase = {
    purchasedAt,
    vehicleId,
    driverId,
    cardId,
    place: null,
    liters: litersOf(check),
    product: fuel?.product ?? null,
  }
  const [policy, others, refill] = await Promise.all([
    readEffectivePolicy(db, tenant, targetsOf({ vehicleId, ...vehicle }), check.checkedAt),
    readOtherPurchases(db, tenant, check, { phase: PurchasePhase.CAPTURE, exceptId: check.id }),
    shown ? readRefill(db, tenant, vehicleId, purchasedAt) : { levels: [], stops: [] },
  ])
  const facts = { purchase, vehicle: vehicleFacts(vehicle), position: null, fuelLevel: null, others, refill }
  return evaluateRules(policy, facts).filter(({ rule }) => reconciledRules.includes(rule))
}
