import type { Caller } from '../../../src/auth/caller.ts'
import type { Instant } from '../../../src/domain/time.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/providers/sandbox/simulator/world/durations.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'
import { PurchasePhase } from '../../../src/subgraphs/purchases/purchase-enums.ts'
import { PurchaseDecision } from '../../../src/subgraphs/purchases/policy/decide.ts'
import { purchaseService } from './purchase-service.ts'
import { amountOf, type SimulatedPurchase } from './simulated-purchases.ts'
import type { StoredVehicle } from './stored-vehicle.ts'

/** A purchase with the checks of its authorization and its capture. A declined purchase has no capture. */
export interface CheckedCase {
  readonly purchase: SimulatedPurchase
  readonly authorization: PurchaseCheck
  readonly capture: PurchaseCheck | null
}

/** Something that happens at a time. */
interface Step {
  readonly at: Instant
  run(): Promise<void>
}

const RECONCILED_AFTER_MS = [24 * HOUR_MS, 72 * HOUR_MS]

const checks = tableOf(PurchaseCheck)

/** Plays the purchases of a vehicle. At each moment the service has only what the tracker has sent by then. */
export class Play {
  private now: Instant = 0
  private readonly steps: Step[] = []
  private readonly service: ReturnType<typeof purchaseService>
  private readonly vehicle: StoredVehicle
  private readonly db: Database
  private readonly caller: Caller

  constructor(db: Database, caller: Caller, vehicle: StoredVehicle) {
    this.db = db
    this.caller = caller
    this.vehicle = vehicle
    this.service = purchaseService(db, caller, { now: () => this.now })
  }

  async run(purchases: readonly SimulatedPurchase[]): Promise<CheckedCase[]> {
    const cardId = `card ${this.vehicle.id}`
    const authorized = new Map<SimulatedPurchase, string>()
    for (const [number, purchase] of purchases.entries())
      this.steps.push({
        at: purchase.at,
        run: async () => {
          const key = `${this.vehicle.id} ${number}`
          const { check } = await this.service
            .commands()
            .checkPurchase(authorizationOf(purchase, { key, cardId, vehicle: this.vehicle }))
          authorized.set(purchase, check.id)
          if (check.decision !== PurchaseDecision.DECLINE)
            this.steps.push(...this.captureOf(purchase, check.id))
        },
      })
    for (let step = this.next(); step; step = this.next()) {
      this.now = step.at
      await this.vehicle.receiveUntil(this.now)
      await step.run()
    }
    const rows = await this.storedChecks()
    return purchases.map((purchase) => {
      const id = authorized.get(purchase)
      const authorization = rows.find((row) => row.id === id)
      if (!authorization) throw new Error(`The check ${id} is not stored.`)
      return { purchase, authorization, capture: rows.find((row) => row.authorizationCheckId === id) ?? null }
    })
  }

  private captureOf({ liters, product, at, capturedAt }: SimulatedPurchase, checkId: string): Step[] {
    const capture = async () => {
      const { recorded } = await this.service.commands().captureForCheck({
        idempotencyKey: `capture ${checkId}`,
        checkId,
        amount: { value: amountOf(liters), currency: 'USD' },
        fuel: { liters, product },
      })
      if (!recorded) throw new Error(`The capture of ${checkId} was not recorded.`)
    }
    const reconciliations = RECONCILED_AFTER_MS.map((after) => ({
      at: Math.max(capturedAt, at + after) + MINUTE_MS,
      run: () => this.service.reconcile(),
    }))
    return [{ at: capturedAt, run: capture }, ...reconciliations]
  }

  /** Removes the earliest step and returns it. */
  private next(): Step | undefined {
    const [first] = this.steps.sort((one, other) => one.at - other.at).splice(0, 1)
    return first
  }

  private async storedChecks(): Promise<PurchaseCheck[]> {
    const rows = await this.db.rows<Record<string, unknown>>(
      `SELECT ${checks.selected} FROM \`purchase_checks\` WHERE \`applicationId\` = ? AND \`vehicleId\` = ?`,
      [this.caller.applicationId, this.vehicle.id],
    )
    return rows.map((row) => checks.toRow(row))
  }
}

interface AuthorizationValues {
  readonly key: string
  readonly cardId: string
  readonly vehicle: StoredVehicle
}

/** Returns what the card network sends when the card is swiped. At a pump, the amount is nominal. */
const authorizationOf = (
  { at, station, liters, product, isCounted, namesDriver }: SimulatedPurchase,
  { key, cardId, vehicle }: AuthorizationValues,
) => ({
  idempotencyKey: key,
  vehicleId: vehicle.id,
  driverId: namesDriver ? vehicle.driverAt(at) : null,
  cardId,
  at,
  merchant: station.merchant,
  amount: { value: isCounted ? amountOf(liters) : 125, currency: 'USD' },
  fuel: isCounted ? { liters, product } : null,
  phase: PurchasePhase.AUTHORIZATION,
})
