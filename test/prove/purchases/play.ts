import type { Caller } from '../../../src/auth/caller.ts'
import type { Instant } from '../../../src/domain/time.ts'
import {
  authorizationAmountOf,
  captureAmountOf,
  type SimulatedPurchase,
} from '../../../src/providers/sandbox/simulator/purchases/simulated-purchase.ts'
import type { Station } from '../../../src/providers/sandbox/simulator/purchases/stations.ts'
import { HOUR_MS } from '../../../src/providers/sandbox/simulator/world/durations.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { FuelProduct } from '../../../src/subgraphs/purchases/fuel-product.ts'
import type { Merchant } from '../../../src/subgraphs/purchases/merchant.ts'
import { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'
import { PurchasePhase } from '../../../src/subgraphs/purchases/purchase-enums.ts'
import { PurchaseDecision } from '../../../src/subgraphs/purchases/policy/decide.ts'
import { purchaseService } from './purchase-service.ts'
import type { StoredVehicle } from './stored-vehicle.ts'

/** A purchase with the checks of its authorization and its capture. A declined purchase has no capture. */
export interface CheckedCase {
  readonly purchase: SimulatedPurchase
  readonly authorization: PurchaseCheck
  readonly capture: PurchaseCheck | null
}

/** Vehicle with all its purchases, by time. */
export interface Driven {
  readonly vehicle: StoredVehicle
  readonly purchases: readonly SimulatedPurchase[]
}

/** Something that happens at a time. */
interface Step {
  readonly at: Instant
  run(): Promise<void>
}

const RECONCILED_AFTER_MS = [24 * HOUR_MS, 72 * HOUR_MS]
const SHOWN_PARTS = 10

const checks = tableOf(PurchaseCheck)
const hourAfter = (time: Instant): Instant => Math.ceil(time / HOUR_MS) * HOUR_MS

/** Plays the purchases of a fleet. At each moment the service has only what the trackers have sent by then. */
export class Play {
  private now: Instant = 0
  /** Steps by the hour in which they happen. */
  private readonly steps = new Map<Instant, Step[]>()
  /** Vehicles with captures that are reconciled at a time. */
  private readonly reconciled = new Map<Instant, Set<StoredVehicle>>()
  private readonly authorized = new Map<SimulatedPurchase, string>()
  private readonly service: ReturnType<typeof purchaseService>
  private readonly db: Database
  private readonly caller: Caller

  constructor(db: Database, caller: Caller) {
    this.db = db
    this.caller = caller
    this.service = purchaseService(db, caller, { now: () => this.now })
  }

  async run(fleet: readonly Driven[]): Promise<void> {
    const total = fleet.reduce((sum, { purchases }) => sum + purchases.length, 0)
    for (const { vehicle, purchases } of fleet)
      for (const [number, purchase] of purchases.entries())
        this.plan({
          at: purchase.at,
          run: () => this.authorize(vehicle, purchase, `${vehicle.id} ${number}`),
        })
    let shown = 0
    for (let step = this.next(); step; step = this.next()) {
      this.now = step.at
      await step.run()
      const part = Math.floor((SHOWN_PARTS * this.authorized.size) / total)
      if (part === shown) continue
      shown = part
      console.log(`${this.authorized.size} of ${total} purchases played`)
    }
  }

  /** Returns the purchases of a vehicle with their checks. */
  async casesOf({ vehicle, purchases }: Driven): Promise<CheckedCase[]> {
    const rows = await this.storedChecks(vehicle)
    return purchases.map((purchase) => {
      const id = this.authorized.get(purchase)
      const authorization = rows.find((row) => row.id === id)
      if (!authorization) throw new Error(`The check ${id} is not stored.`)
      return { purchase, authorization, capture: rows.find((row) => row.authorizationCheckId === id) ?? null }
    })
  }

  private async authorize(vehicle: StoredVehicle, purchase: SimulatedPurchase, key: string): Promise<void> {
    await vehicle.receiveUntil(this.now)
    const { check } = await this.service
      .commands()
      .checkPurchase(authorizationOf(purchase, { key, cardId: `card ${vehicle.id}`, vehicle }))
    this.authorized.set(purchase, check.id)
    if (check.decision === PurchaseDecision.DECLINE) return
    this.plan({ at: purchase.capturedAt, run: () => this.capture(vehicle, purchase, check.id) })
  }

  private async capture(vehicle: StoredVehicle, purchase: SimulatedPurchase, checkId: string): Promise<void> {
    await vehicle.receiveUntil(this.now)
    const { recorded } = await this.service.commands().captureForCheck({
      idempotencyKey: `capture ${checkId}`,
      checkId,
      amount: { value: captureAmountOf(purchase), currency: 'USD' },
      fuel: fuelOf(purchase),
    })
    if (!recorded) throw new Error(`The capture of ${checkId} was not recorded.`)
    for (const after of RECONCILED_AFTER_MS)
      this.reconcileAt(hourAfter(Math.max(purchase.capturedAt, purchase.at + after) + 1), vehicle)
  }

  private reconcileAt(at: Instant, vehicle: StoredVehicle): void {
    const vehicles = this.reconciled.get(at)
    if (vehicles) vehicles.add(vehicle)
    else {
      this.reconciled.set(at, new Set([vehicle]))
      this.plan({ at, run: () => this.reconcile(at) })
    }
  }

  private async reconcile(at: Instant): Promise<void> {
    for (const vehicle of this.reconciled.get(at) ?? []) await vehicle.receiveUntil(at)
    this.reconciled.delete(at)
    await this.service.reconcile()
  }

  private plan(step: Step): void {
    const hour = hourAfter(step.at)
    const steps = this.steps.get(hour)
    if (steps) steps.push(step)
    else this.steps.set(hour, [step])
  }

  /** Removes the earliest step and returns it. */
  private next(): Step | undefined {
    if (this.steps.size === 0) return undefined
    let hour = hourAfter(this.now) || Math.min(...this.steps.keys())
    while (!this.steps.has(hour)) hour += HOUR_MS
    const steps = this.steps.get(hour)!
    const [first] = steps.sort((one, other) => one.at - other.at).splice(0, 1)
    if (steps.length === 0) this.steps.delete(hour)
    return first
  }

  private async storedChecks({ id }: StoredVehicle): Promise<PurchaseCheck[]> {
    const rows = await this.db.rows<Record<string, unknown>>(
      `SELECT ${checks.selected} FROM \`purchase_checks\` WHERE \`applicationId\` = ? AND \`vehicleId\` = ?`,
      [this.caller.applicationId, id],
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
const authorizationOf = (purchase: SimulatedPurchase, { key, cardId, vehicle }: AuthorizationValues) => ({
  idempotencyKey: key,
  vehicleId: vehicle.id,
  driverId: purchase.namesDriver ? vehicle.driverAt(purchase.at) : null,
  cardId,
  at: purchase.at,
  merchant: merchantOf(purchase.station),
  amount: { value: authorizationAmountOf(purchase), currency: 'USD' },
  fuel: purchase.isCounted ? fuelOf(purchase) : null,
  phase: PurchasePhase.AUTHORIZATION,
})

const fuelOf = ({ liters, product }: SimulatedPurchase) => ({ liters, product: products[product] })

const products: Readonly<Record<SimulatedPurchase['product'], FuelProduct>> = {
  gasoline: FuelProduct.GASOLINE,
  diesel: FuelProduct.DIESEL,
  dyed_diesel: FuelProduct.DYED_DIESEL,
  def: FuelProduct.DEF,
}

const merchantOf = ({ merchant: { coordinates, ...merchant } }: Station): Merchant =>
  coordinates
    ? { ...merchant, coordinates: { latitude: coordinates.lat, longitude: coordinates.lng } }
    : merchant
