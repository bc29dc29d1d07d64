import type { Database } from '../../../src/storage/database.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { SyncMode } from '../../../src/subgraphs/connections/connection.ts'
import { FuelType, VehicleStatus } from '../../../src/subgraphs/fleet/vehicle.ts'
import { PurchaseStage } from '../../../src/subgraphs/purchases/policy/policy.ts'
import type { Random } from '../../fuzz/random.ts'
import { DAY } from '../../support/durations.ts'
import {
  callerOf,
  latestLocationRow,
  type RecordsOf,
  seedApplication,
  vehicleRow,
} from '../../support/factories.ts'
import { purchaseService } from '../purchases/purchase-service.ts'
import type { SentPurchase } from './purchase-request.ts'

const VEHICLES = 40
const AUSTIN = { longitude: -97.7431, latitude: 30.2672 }
/** Merchants at the vehicle, about 9 km away, and too far away. */
const MERCHANTS = [AUSTIN, { longitude: -97.65, latitude: 30.27 }, { longitude: -96.797, latitude: 32.7767 }]

/** Vehicles in Austin that have just reported, with a quarter of fuel. */
const fleet: RecordsOf = (owner) => {
  const now = Date.now()
  const vehicles = Array.from({ length: VEHICLES }, () =>
    vehicleRow(owner, { fuelType: FuelType.DIESEL, fuelTankCapacity: 700, status: VehicleStatus.ACTIVE }),
  )
  const latestLocations = vehicles.map(({ id: vehicleId }) =>
    latestLocationRow(owner, {
      vehicleId,
      ...AUSTIN,
      locatedAt: now,
      modifiedAt: now,
      speed: 0,
      fuelPrimaryPercentage: 25,
    }),
  )
  return { vehicles, latestLocations }
}

export interface Cardholders {
  readonly applicationId: string
  readonly secretKey: string
  readonly vehicleIds: readonly string[]
}

/**
 * Stores an application whose purchases are decided at V2. Decisions depend on the time and on the purchases before, so
 * a check that is made twice is often decided differently.
 */
export async function seedCardholders(db: Database): Promise<Cardholders> {
  const { id, client, connections } = await seedApplication(db, [fleet], [{ syncMode: SyncMode.MANUAL }])
  await purchaseService(db, callerOf(client), systemClock)
    .commands()
    .setPurchasePolicy({ stage: PurchaseStage.V2, rules: [] })
  const vehicleIds = connections.flatMap(({ vehicles }) => vehicles.map((vehicle) => vehicle.id))
  return { applicationId: id, secretKey: client.secretKey, vehicleIds }
}

/** Draws an authorization: most of them now, the others at a given time of the last week. */
export function drawAuthorization(random: Random, number: number, { vehicleIds }: Cardholders): SentPurchase {
  const vehicle = random.below(vehicleIds.length)
  const at = random.chance(0.8) ? undefined : new Date(Date.now() - random.below(7 * DAY)).toISOString()
  return {
    kind: 'check',
    key: `check-${number}`,
    input: {
      vehicleId: vehicleIds[vehicle],
      cardId: `card-${vehicle}`,
      authorizationId: authorizationIdOf(number),
      ...(at === undefined ? {} : { at }),
      merchant: { name: 'Lone Star Fuel', categoryCode: '5542', coordinates: random.pick(MERCHANTS) },
      amount: { value: 1 + random.below(400), currency: 'USD' },
      ...(random.chance(0.5) ? { fuel: drawFuel(random) } : {}),
      metadata: { number },
    },
  }
}

/** Draws the capture of an authorization, which names it by its check or by its id of the card network. */
export function drawCapture(random: Random, number: number, checkId: string): SentPurchase {
  return {
    kind: 'capture',
    key: `capture-${number}`,
    input: {
      ...(random.chance(0.5) ? { checkId } : { authorizationId: authorizationIdOf(number) }),
      amount: { value: 1 + random.below(400), currency: 'USD' },
      fuel: drawFuel(random),
    },
  }
}

const authorizationIdOf = (number: number): string => `iauth-${number}`

const drawFuel = (random: Random) => ({ liters: 10 + random.below(200), product: 'DIESEL' })
