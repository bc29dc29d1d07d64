import type { Id } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { toEventReference } from '../../../src/subgraphs/tables/connection-reference.ts'
import type { SeededApplication } from '../../support/factories.ts'
import { seedKey } from '../../support/rows/key-rows.ts'
import type { Origin } from '../event-log/writing.ts'
import { seedFleet } from '../support/seeded-fleet.ts'
import type { Attack } from './attack.ts'
import { attacks } from './attacks.ts'

/** Application of an attacker. Each attack has one, so that none finds the limits of another used up. */
export interface Attacker {
  readonly secretKey: string
  readonly publishableKey: string
  readonly connectionToken: string
  /** Owner of its events. */
  readonly origin: Origin
  readonly vehicleIds: readonly Id<'vehicle'>[]
}

export interface Applications {
  readonly attackerOf: ReadonlyMap<Attack, Attacker>
  /** Application of the probe, which attacks nothing. */
  readonly other: SeededApplication
}

export async function seedApplications(db: Database): Promise<Applications> {
  await db.migrate()
  const attackerOf = new Map<Attack, Attacker>()
  for (const attack of attacks) attackerOf.set(attack, await seedAttacker(db, attack))
  return { attackerOf, other: await seedFleet(db, { vehicles: 20, tripsPerVehicle: 1 }) }
}

async function seedAttacker(db: Database, { fleet }: Attack): Promise<Attacker> {
  const { id, secretKey, connections } = await seedFleet(db, fleet)
  const { connection, token, vehicles } = connections[0]!
  const publishable = await seedKey(db, id, { use: 'publishable' })
  return {
    secretKey,
    publishableKey: publishable.value,
    connectionToken: token,
    origin: {
      applicationId: id,
      connectionId: connection.id as Id<'connection'>,
      brief: toEventReference(connection, 'Sandbox'),
    },
    vehicleIds: vehicles.map((vehicle) => vehicle.id as Id<'vehicle'>),
  }
}
