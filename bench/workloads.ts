import type { Fleet } from './fleet.ts'

/**
 * Sources of the rows. With `memory`, the servers replay recorded rows, so the database is not a part of the
 * measurement.
 */
export const storeNames = ['memory', 'sqlite', 'mariadb'] as const

export type StoreName = (typeof storeNames)[number]

export const workloadNames = ['W1', 'W2', 'W3', 'W4', 'REST'] as const

export type WorkloadName = (typeof workloadNames)[number]

/**
 * Minimum ratios of our requests per second to those of the baseline. `executor` is the goal of the executor benchmark.
 */
type Goals = Partial<Record<StoreName | 'executor', number>>

export interface Workload {
  readonly summary: string
  readonly goals: Goals
  /** GraphQL query of the request. Absent for a REST request. */
  readonly query?: string
  variables?(fleet: Pick<Fleet, 'vehicleId'>): Readonly<Record<string, unknown>>
  readonly path: string
}

export const workloads: Readonly<Record<WorkloadName, Workload>> = {
  W1: {
    summary: '100 vehicles of 20 fields each',
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
    summary: '50 vehicles with their locations, drivers and groups, over three subgraphs',
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
    summary: 'one vehicle by its id',
    goals: { memory: 0.45 },
    path: '/graphql',
    query: `query Vehicle($id: ID!) {
      vehicle(id: $id) { id sourceId provider status vin name make model year fuelType }
    }`,
    variables: ({ vehicleId }) => ({ id: vehicleId }),
  },
  W4: {
    summary: '500 trips of 12 fields each',
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
    summary: 'GET /tsp/v1/vehicles?limit=100',
    goals: { mariadb: 0.75 },
    path: '/tsp/v1/vehicles?limit=100',
  },
}
