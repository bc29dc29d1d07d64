import { callerOf, seedApplication } from '../../support/factories.ts'
import { Draws } from '../../../src/providers/sandbox/simulator/purchases/draws.ts'
import {
  allThieves,
  purchasesAfter,
} from '../../../src/providers/sandbox/simulator/purchases/vehicle-purchases.ts'
import type { SimulatedPurchase } from '../../../src/providers/sandbox/simulator/purchases/simulated-purchase.ts'
import type { Instant } from '../../../src/domain/time.ts'
import { DAY_MS } from '../../../src/providers/sandbox/simulator/world/durations.ts'
import type { Database } from '../../../src/storage/database.ts'
import { PurchaseStage } from '../../../src/subgraphs/purchases/policy/policy.ts'
import { proofOnStores } from '../proof.ts'
import { makeHome, type Store } from '../support/service-process.ts'
import { type Driven, Play } from './play.ts'
import { purchaseService } from './purchase-service.ts'
import { SimulatedVehicle } from './simulated-vehicle.ts'
import { StoredVehicle } from './stored-vehicle.ts'
import { Tally } from './tally.ts'

/** Plays the purchases of a fleet with honest drivers and thieves, and compares the checks with the truth. */
export const purchases = proofOnStores(
  {
    name: 'purchases',
    description: 'purchase checks catch thefts, and hardly decline honest purchases',
    options: {
      purchases: { preset: 100_000, short: 2000, description: 'number of purchases, about' },
      vehicles: { preset: 1000, short: 40, description: 'size of the fleet' },
      seed: { preset: 22, description: 'seed of the fleet and of its purchases' },
      'least-caught': { preset: 95, description: 'lowest percentage of thefts that V2 must catch' },
      'most-declined': {
        preset: 0.2,
        description: 'highest percentage of honest purchases that V2 may decline',
      },
    },
  },
  prove,
)

interface Values {
  readonly purchases: number
  readonly vehicles: number
  readonly seed: number
  readonly 'least-caught': number
  readonly 'most-declined': number
}

const START = Date.UTC(2026, 0, 1)
/** Length of the roll-out at V0. Its purchases do not count. */
const V0_DAYS = 21

async function prove(store: Store, values: Values): Promise<readonly string[]> {
  const home = await makeHome(store)
  const db = await home.open()
  try {
    await db.migrate()
    const begun = performance.now()
    const tally = await play(db, values)
    console.log(`${store}, seed ${values.seed}: ${tally.purchases} purchases by ${values.vehicles} vehicles`)
    const failures = tally.report({
      leastCaught: values['least-caught'],
      mostDeclined: values['most-declined'],
    })
    console.log(`played in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    return failures.map((failure) => `${store}: ${failure}`)
  } finally {
    await db.close()
    await home.remove()
  }
}

async function play(db: Database, { purchases: count, vehicles, seed }: Values): Promise<Tally> {
  const application = await seedApplication(db, [() => ({})])
  const caller = callerOf(application.client)
  const owner = { applicationId: application.id, connectionId: application.connections[0]!.connection.id }
  const countedFrom = START + V0_DAYS * DAY_MS
  const service = purchaseService(db, caller, { now: () => START })
  await service.commands().setPurchasePolicy({ stage: PurchaseStage.V2, rules: [], effectiveAt: countedFrom })
  const fleet: Driven[] = []
  for (const simulated of fleetOf(seed, vehicles)) {
    const purchased = purchasesOf(simulated, countedFrom, Math.round(count / vehicles))
    fleet.push({ vehicle: await StoredVehicle.store(db, owner, simulated, START), purchases: purchased })
  }
  const player = new Play(db, caller)
  await player.run(fleet)
  const tally = new Tally()
  for (const driven of fleet) {
    const cases = await player.casesOf(driven)
    tally.add(cases.filter(({ purchase }) => purchase.at >= countedFrom))
  }
  return tally
}

/** Returns vehicles that burn fuel and report. */
function fleetOf(seed: number, size: number): SimulatedVehicle[] {
  const fleet = { seed, size: 2 * size }
  return Array.from({ length: 2 * size }, (_, vehicle) => new SimulatedVehicle(fleet, vehicle))
    .filter(({ isTracked }) => isTracked)
    .slice(0, size)
}

/** Returns the purchases of a vehicle from the start, with a number of them from a later time on. */
function purchasesOf(vehicle: SimulatedVehicle, countedFrom: Instant, count: number): SimulatedPurchase[] {
  const draws = new Draws(vehicle.route.fleet.seed + 1, vehicle.route.vehicle)
  const purchases: SimulatedPurchase[] = []
  const isCounted = ({ at }: SimulatedPurchase) => at >= countedFrom
  for (
    let leg = vehicle.legAfter(START);
    purchases.filter(isCounted).length < count;
    leg = vehicle.nextLeg(leg)
  )
    purchases.push(...purchasesAfter(vehicle, leg, draws, allThieves))
  return purchases.toSorted((one, other) => one.at - other.at)
}
