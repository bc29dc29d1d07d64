import type { Id } from '../../../domain/ids.ts'
import type { Point } from '../../../domain/models/point.ts'
import type { Clock, Instant } from '../../../domain/time.ts'
import type { Registry } from '../../../providers/registry.ts'
import type { Notifier } from '../../../queue/notifier.ts'
import type { Database } from '../../../storage/database.ts'
import { appendEvents, type NewEvent, OUTBOX_TOPIC } from '../../../storage/outbox.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { lockAgainstDeletion } from '../../tables/lock-against-deletion.ts'
import { createVisibleReads } from '../../tables/visible-reads.ts'
import { purchaseEvents } from '../events.ts'
import { litersOf } from '../evidence/liters-of.ts'
import { readOtherPurchases } from '../evidence/other-purchases.ts'
import { isTelling, type ObservedFill } from '../evidence/learnt-tank.ts'
import { hasSecondTank, hiddenVehicle, vehicleFacts } from '../evidence/read-facts.ts'
import { findVehicle, type VehicleRow } from '../evidence/vehicle-row.ts'
import { recordSighting } from '../learnt-places/sighted-merchant.ts'
import { sightingOf } from '../learnt-places/sighting-of.ts'
import type { Sighting } from '../learnt-places/sightings.ts'
import { isFlagged } from '../policy/decide.ts'
import { readEffectivePolicy } from '../policy/effective-policy.ts'
import { evaluateRules, reconciledRules, type RuleFinding } from '../policy/policy.ts'
import { targetsOf } from '../policy/policy-target.ts'
import { PurchaseCheck } from '../purchase-check.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import { type Fill, fillOf } from '../rules/fill.ts'
import type { PurchaseFacts } from '../rules/purchase-facts.ts'
import { RuleOutcome } from '../rules/rule.ts'
import { recordFill } from './fill-history.ts'
import { type ReadRefill, readRefill } from './read-refill.ts'
import { nextReconciliation, READ_AFTER_MS } from './schedule.ts'

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
 * days off it continues with the oldest. A capture that fails stays due, and does not hold up the others.
 */
export async function reconcilePurchases(deps: ReconciliationDeps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const failures: Error[] = []
  for (let last: DueRow | undefined = { id: '', reconcileAt: 0 }; last;) {
    const rows: DueRow[] = await readDue(deps, now, last)
    for (const row of rows) {
      signal.throwIfAborted()
      await reconcile(deps, row, now).catch((error: unknown) =>
        failures.push(new Error(`purchase check ${row.id} was not reconciled`, { cause: error })),
      )
    }
    last = rows.length === CHECKS_PER_BATCH ? rows.at(-1) : undefined
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} purchases were not reconciled`)
}

interface DueRow extends Record<string, unknown> {
  readonly id: string
  readonly reconcileAt: Instant
}

/** Reads the rows of checks that are due, from the one after `last`. */
const readDue = ({ db }: ReconciliationDeps, now: Instant, { reconcileAt, id }: DueRow): Promise<DueRow[]> =>
  db.rows<DueRow>(
    `SELECT ${table.selected} FROM \`purchase_checks\`
      WHERE \`reconcileAt\` >= ? AND \`reconcileAt\` <= ? AND (\`reconcileAt\` > ? OR \`id\` > ?)
      ORDER BY \`reconcileAt\`, \`id\` LIMIT ${CHECKS_PER_BATCH}`,
    [reconcileAt, now, reconcileAt, id],
  )

async function reconcile(deps: ReconciliationDeps, row: DueRow, now: Instant): Promise<void> {
  const check = table.toRow(row)
  const vehicle = await findVehicle(deps.db, tenantOf(check), { vehicleId: check.vehicleId, driverId: null })
  if (!vehicle) return recordReconciliation(deps, check, NOT_COMPARED, [])
  const { findings, fill, stoodAt, isShown, driverId } = await findingsOf(deps, check, vehicle)
  const reconcileAt = nextReconciliation(check.purchasedAt, now, { isLevelKnown: Boolean(fill?.rise) })
  const isFinal = findings.length > 0 && reconcileAt === null
  const outcome = { reconcileAt, reconciliation: isFinal ? { reconciledAt: now, reasons: findings } : null }
  const types = ['purchase.reconciled', ...(isFlagged(findings) ? ['purchase.flagged'] : [])]
  const { name: providerName } = deps.registry.find(vehicle.connection.provider)?.manifest ?? {}
  const shownCheck = { ...check, ...outcome, driverId }
  const events =
    isFinal && isShown ? purchaseEvents(types, shownCheck, { ...vehicle.connection, providerName }) : []
  const isInTank = findings.some(
    ({ rule, outcome: result }) => rule === 'level_rose' && result === RuleOutcome.PASS,
  )
  const sighting = isInTank ? await sightingOf(check, { fill, stoodAt }) : null
  const learnt = { fill: shownBy(fill, vehicle), sighting }
  return recordReconciliation(deps, check, { ...outcome, ...learnt }, events)
}

/** Returns what a fill shows about the tank; null if it is too small, or not known completely. */
function shownBy(fill: Fill | null, { fuelTankCapacity }: VehicleRow): Outcome['fill'] {
  if (!fill || !fill.isComplete || !isTelling(fill.liters, fuelTankCapacity)) return null
  const { liters, rise } = fill
  return { liters, risenPercent: rise && rise.percent, risenAt: rise && rise.to }
}

const tenantOf = ({ applicationId, connectionId }: PurchaseCheck) => ({
  applicationId,
  connectionIds: connectionId === null ? [] : [connectionId],
})

/** What a comparison leaves. */
interface Outcome extends Pick<PurchaseCheck, 'reconcileAt' | 'reconciliation'> {
  /** Null if it shows nothing about the tank. */
  readonly fill: Omit<ObservedFill, 'checkId' | 'filledAt'> | null
  /** Null if it shows nothing about the place of the merchant. */
  readonly sighting: Sighting | null
}

const NOT_COMPARED: Outcome = { reconcileAt: null, reconciliation: null, fill: null, sighting: null }

/** Stores the outcome with its events, unless another worker has stored one. */
async function recordReconciliation(
  { db, clock, notifier }: ReconciliationDeps,
  { id, applicationId, connectionId, vehicleId, purchasedAt, merchant, reconcileAt: dueAt }: PurchaseCheck,
  { reconcileAt, reconciliation, fill, sighting }: Outcome,
  events: readonly NewEvent[],
): Promise<void> {
  if (connectionId === null) return
  const isRecorded = await db.transaction(async (tx) => {
    if (!(await lockAgainstDeletion(tx, { id: connectionId, applicationId }))) return false
    const changed = await tx.run(
      'UPDATE `purchase_checks` SET `reconcileAt` = ?, `reconciliation` = ? WHERE `id` = ? AND `reconcileAt` = ?',
      [reconcileAt, reconciliation && JSON.stringify(reconciliation), id, dueAt],
    )
    if (changed === 0) return false
    const now = clock.now()
    if (fill) {
      const vehicle = { vehicleId: vehicleId as Id<'vehicle'>, applicationId, connectionId, modifiedAt: now }
      await recordFill(tx, vehicle, { checkId: id, filledAt: purchasedAt, ...fill })
    }
    if (sighting)
      await recordSighting(tx, merchant, { applicationId, connectionId, modifiedAt: now }, sighting)
    await appendEvents(tx, { applicationId, connectionId, at: now }, events)
    return true
  })
  if (isRecorded && events.length > 0) notifier.notify(OUTBOX_TOPIC)
}

interface ReconciledFindings {
  readonly findings: RuleFinding[]
  /** Null if the levels do not show the fill. */
  readonly fill: Fill | null
  /** Where the vehicle stood at the time of the capture; null if it is not known to have stood. */
  readonly stoodAt: Point | null
  /** Whether no filter hides the vehicle. */
  readonly isShown: boolean
  /** The driver of the purchase; null if a filter hides the driver. */
  readonly driverId: string | null
}

const NOTHING_READ: ReadRefill = { refill: { levels: [], runtimes: [], stops: [] }, stoodAt: null }

/** Returns what the rules find that need the later fuel levels. Nothing is used of a hidden vehicle. */
async function findingsOf(
  { db }: ReconciliationDeps,
  check: PurchaseCheck,
  vehicle: VehicleRow,
): Promise<ReconciledFindings> {
  const { vehicleId, driverId, cardId, purchasedAt, authorizationCheckId, fuel } = check
  const tenant = tenantOf(check)
  const visible = createVisibleReads(db, tenant)
  const [shownVehicle, shownDriver, policy, others] = await Promise.all([
    visible.reference('vehicles', vehicleId),
    visible.reference('drivers', driverId),
    readEffectivePolicy(db, tenant, targetsOf({ vehicleId, ...vehicle }), check.checkedAt),
    readOtherPurchases(db, tenant, check, {
      phase: PurchasePhase.CAPTURE,
      exceptId: check.id,
      afterMs: READ_AFTER_MS,
    }),
  ])
  const known = vehicleFacts(vehicle)
  const hasLevels = shownVehicle !== null && !hasSecondTank(vehicle.latest)
  const { refill, stoodAt } = hasLevels ? await readRefill(db, tenant, vehicleId, purchasedAt) : NOTHING_READ
  const facts: PurchaseFacts = {
    purchase: {
      purchasedAt,
      vehicleId,
      driverId,
      cardId,
      authorizationCheckId,
      place: null,
      isAddressWrong: false,
      liters: litersOf(check),
      product: fuel?.product ?? null,
    },
    vehicle: shownVehicle === null ? hiddenVehicle(known) : known,
    position: null,
    jurisdiction: null,
    fuelLevel: null,
    // No rule compares the places of captures again.
    others: others.map((other) => ({ ...other, place: null })),
    refill,
  }
  return {
    findings: evaluateRules(policy, facts).filter(({ rule }) => reconciledRules.includes(rule)),
    fill: fillOf(facts),
    stoodAt,
    isShown: shownVehicle !== null,
    driverId: shownDriver && driverId,
  }
}
