import type { Fleet } from './fleet.ts'

/** Where the rows come from. `memory` leaves the database out of the measurement. */
export const storeNames = ['memory', 'sqlite', 'mariadb'] as const

export type StoreName = (typeof storeNames)[number]

export const workloadNames = ['W1', 'W2', 'W3', 'W4', 'REST'] as const

export type WorkloadName = (typeof workloadNames)[number]

/** The least that a ratio may be. */
type Goals = Partial<Record<StoreName | 'executor', number>>

export interface Workload {
  readonly says: string
  readonly goals: Goals
  /** What ours is asked; none where it is asked by its path. */
  readonly query?: string
  variables?(fleet: Pick<Fleet, 'vehicleId'>): Readonly<Record<string, unknown>>
  readonly path: string
}

export const workloads: Readonly<Record<WorkloadName, Workload>> = {
  W1: {
    says: '100 vehicles of 20 fields each',
    goals: { memory: 0.4, mariadb: 0.75, executor: 4 },
    path: '/graphql',
    query: `query Vehicles($first: Int!) {
      vehicles(first: $first) {
        nodes {
          id sourceId provider status vin name make model year fuelType fuelEfficiency fuelTankCapacity
          createdAt updatedAt
          licensePlate { state number }
          metadata { addedAt modifiedAt deletedAt visibility }
        }
      }
    }`,
    variables: () => ({ first: 100 }),
  },
  W2: {
    says: '50 vehicles with their places, drivers and groups, over three subgraphs',
    goals: { memory: 0.35, mariadb: 0.45, executor: 2.5 },
    path: '/graphql',
    query: `query Board($first: Int!) {
      vehicles(first: $first) {
        nodes {
          id name
          latestLocation { locatedAt location { longitude latitude } speed driver { firstName lastName } }
          groups { name }
        }
      }
    }`,
    variables: () => ({ first: 50 }),
  },
  W3: {
    says: 'one vehicle by its id',
    goals: { memory: 0.45 },
    path: '/graphql',
    query: `query Vehicle($id: ID!) {
      vehicle(id: $id) { id sourceId provider status vin name make model year fuelType }
    }`,
    variables: ({ vehicleId }) => ({ id: vehicleId }),
  },
  W4: {
    says: '500 trips of 12 fields each',
    goals: { memory: 0.4, executor: 4 },
    path: '/graphql',
    query: `query Trips($first: Int!) {
      trips(first: $first) {
        nodes {
          id sourceId provider startedAt endedAt distance duration
          startLocation { longitude latitude }
          endLocation { longitude latitude }
          vehicle { id }
        }
      }
    }`,
    variables: () => ({ first: 500 }),
  },
  REST: {
    says: 'GET /tsp/v1/vehicles?limit=100',
    goals: { mariadb: 0.75 },
    path: '/tsp/v1/vehicles?limit=100',
  },
}
