import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { rounded } from '../../../src/domain/units.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { FilteredKind, RecordFilter } from '../../../src/subgraphs/tables/filtered-connection.ts'
import { Random } from '../../fuzz/random.ts'
import {
  type ApiClient,
  dialects,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  unknownId,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { uniformRecords } from '../../support/graph/fleets.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { variedRecords } from '../../support/graph/varied/records.ts'

const executor = createInProcessExecutor(supergraph)
const ROUNDS = 12

/** Ids of owners that some records name, although no such vehicle or driver is stored. */
const unknown: Readonly<Record<FilteredKind, string>> = {
  vehicles: unknownId('vehicle'),
  drivers: unknownId('driver'),
}

interface Owned {
  readonly __typename?: string
  readonly id?: string
  readonly vehicle?: { readonly id: string } | null
  readonly driver?: { readonly id: string } | null
  readonly codrivers?: readonly ({ readonly id: string } | null)[]
}

/** The owner that decides whether the records of a list are visible. */
const owners = {
  trips: 'vehicle',
  safetyEvents: 'vehicle',
  faultCodeEvents: 'vehicle',
  vehicleUtilization: 'vehicle',
  vehicleLocations: 'vehicle',
  iftaSummary: 'vehicle',
  hosLogs: 'driver',
  hosDailyLogs: 'driver',
  hosAvailableTimes: 'driver',
} as const

type List = keyof typeof owners
type Lists = Readonly<Record<List | 'devices', { readonly nodes: readonly Owned[] }>>
/** Returns the id of the owner that decides whether a record is visible. */
function ownerOf({ __typename, vehicle, driver }: Owned): string | undefined {
  if (__typename === 'Device') return undefined
  return __typename?.startsWith('Hos') ? driver?.id : vehicle?.id
}

type OwnerView = Readonly<Record<string, unknown>> & { readonly id: string }
type Owners = Readonly<Record<FilteredKind, { readonly nodes: readonly OwnerView[] }>>

interface IftaSum {
  readonly jurisdiction: string | null
  readonly distance: number
}

const months = 'startMonth: "2025-01", endMonth: "2026-12"'

const selections: Readonly<Record<List, string>> = {
  trips: 'trips { nodes { id vehicle { id } driver { id firstName } path { totalCount } } }',
  safetyEvents: 'safetyEvents { nodes { id vehicle { id } driver { id } } }',
  faultCodeEvents: 'faultCodeEvents { nodes { id vehicle { id } } }',
  vehicleUtilization: 'vehicleUtilization { nodes { distance vehicle { id } raw { data } } }',
  vehicleLocations: 'vehicleLocations { nodes { speed vehicle { id } driver { id } } }',
  iftaSummary: `iftaSummary(${months}) { nodes { jurisdiction distance vehicle { id } } }`,
  hosLogs: 'hosLogs { nodes { id driver { id } vehicle { id } codrivers { id } } }',
  hosDailyLogs: 'hosDailyLogs { nodes { id driver { id } } }',
  hosAvailableTimes: 'hosAvailableTimes { nodes { currentStatus driver { id } } }',
}

const LISTS = `{ ${Object.values(selections).join(' ')} devices { nodes { id vehicle { id name } } } }`

const OF_OWNERS = `{
  vehicles(hidden: true, deleted: true) { nodes {
    id latestLocation { speed }
    trips { nodes { id } } safetyEvents { nodes { id } } faultCodeEvents { nodes { id } }
    locations { nodes { id } } stats { nodes { id } }
  } }
  drivers(hidden: true, deleted: true) { nodes {
    id hosAvailableTime { currentStatus }
    trips { nodes { id vehicle { id } } } safetyEvents { nodes { id vehicle { id } } }
    hosLogs { nodes { id } } hosDailyLogs { nodes { id } }
  } }
}`

const BY_ID = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename
  ... on Trip { id vehicle { id } } ... on SafetyEvent { id vehicle { id } } ... on FaultCodeEvent { id vehicle { id } }
  ... on HosLog { id driver { id } vehicle { id } codrivers { id } } ... on Device { id vehicle { id } } ... on HosDailyLog { id driver { id } }
} }`

const SUMS = `{ iftaSummary(${months}, groupBy: [JURISDICTION]) { nodes { jurisdiction distance } } }`

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let seeded: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    seeded = await seedApplication(db, [variedRecords, uniformRecords(3)])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  async function read<Data>(client: ApiClient, text: string, variables = {}): Promise<Data> {
    const answer = await ask(executor, contextFor, { client, document: documentOf(text), variables })
    expect(answer.errors).toBeUndefined()
    return answer.data as Data
  }

  /** Returns a random filter of one kind, and the ids that it hides. */
  function anyFilter(
    random: Random,
    kind: FilteredKind,
  ): { filter: RecordFilter; hidden: readonly string[] } {
    const rows: readonly { readonly id: string; readonly status: string }[] = seeded.connections[0]![kind]
    const someIds = () => random.some(rows, 0.4).map(({ id }) => id)
    const hidden = (isHidden: (row: { readonly id: string; readonly status: string }) => boolean) =>
      rows.filter(isHidden).map(({ id }) => id)
    if (random.chance(0.3)) {
      const includeIds = [random.pick(rows).id, ...someIds()]
      return {
        filter: { includeIds },
        hidden: [...hidden(({ id }) => !includeIds.includes(id)), unknown[kind]],
      }
    }
    const excludeIds = someIds()
    const status = random.pick(['active', 'inactive', null] as const)
    return {
      filter: { excludeIds, status },
      hidden: hidden((row) => excludeIds.includes(row.id) || (status !== null && row.status !== status)),
    }
  }

  /** Sets random filters on the first connection. Returns the ids of the vehicles and drivers that they hide. */
  async function setAnyFilters(random: Random): Promise<ReadonlySet<string>> {
    const [vehicles, drivers] = [anyFilter(random, 'vehicles'), anyFilter(random, 'drivers')]
    await setFilters(db, seeded.connections[0]!, { vehicles: vehicles.filter, drivers: drivers.filter })
    return new Set([...vehicles.hidden, ...drivers.hidden])
  }

  const readAll = async (client: ApiClient) => {
    const { trips, safetyEvents, faultCodeEvents, hosLogs, hosDailyLogs, devices } = seeded.connections[0]!
    const rows = [trips, safetyEvents, faultCodeEvents, hosLogs, hosDailyLogs, devices].flat()
    return {
      lists: await read<Lists>(client, LISTS),
      owners: await read<Owners>(client, OF_OWNERS),
      byId: (await read<{ nodes: (Owned | null)[] }>(client, BY_ID, { ids: rows.map(({ id }) => id) })).nodes,
      sums: (await read<{ iftaSummary: { nodes: IftaSum[] } }>(client, SUMS)).iftaSummary.nodes,
    }
  }

  /** Returns what an owner has, without the records of hidden vehicles; nothing if the owner is hidden. */
  function shownOf({ id, ...records }: OwnerView, hidden: ReadonlySet<string>): OwnerView {
    const shown = Object.entries(records).map(([name, value]) => {
      const page = value as { readonly nodes?: readonly Owned[] } | null
      if (!page?.nodes) return [name, hidden.has(id) ? null : value]
      const nodes = hidden.has(id) ? [] : page.nodes.filter(({ vehicle }) => !hidden.has(vehicle?.id ?? ''))
      return [name, { nodes }]
    })
    return { id, ...Object.fromEntries(shown) }
  }

  /** Returns the answer without its references to hidden vehicles and drivers. Those to unknown ones stay. */
  function withoutReferences<Answer>(answer: Answer, hidden: ReadonlySet<string>): Answer {
    const isHidden = (reference: unknown) => {
      const id = (reference as { id: string } | null)?.id ?? ''
      return hidden.has(id) && !Object.values(unknown).includes(id)
    }
    const text = JSON.stringify(answer, (name, value: unknown) => {
      if (name === 'codrivers') return (value as unknown[]).filter((driver) => !isHidden(driver))
      return (name === 'vehicle' || name === 'driver') && isHidden(value) ? null : value
    })
    return JSON.parse(text) as Answer
  }

  test(
    'no list, look-up or sum has a record of a hidden vehicle or driver',
    { timeout: 120_000 },
    async () => {
      const random = new Random(20)
      for (let round = 0; round < ROUNDS; round++)
        for (const client of [seeded.client, seeded.narrowed(0)]) {
          await setFilters(db, seeded.connections[0]!, null)
          const all = await readAll(client)
          const hidden = await setAnyFilters(random)
          const shown = await readAll(client)

          for (const [list, owner] of Object.entries(owners) as [List, 'vehicle' | 'driver'][])
            expect({ [list]: shown.lists[list].nodes }).toEqual({
              [list]: withoutReferences(
                all.lists[list].nodes.filter((record) => !hidden.has(record[owner]?.id ?? '')),
                hidden,
              ),
            })
          expect(shown.lists.devices).toEqual(withoutReferences(all.lists.devices, hidden))
          for (const kind of ['vehicles', 'drivers'] as const)
            expect(shown.owners[kind].nodes).toEqual(
              all.owners[kind].nodes.map((owner) => shownOf(owner, hidden)),
            )
          expect(shown.byId).toEqual(
            withoutReferences(
              all.byId.map((record) => (record && hidden.has(ownerOf(record) ?? '') ? null : record)),
              hidden,
            ),
          )
          const sums = new Map<string | null, number>()
          for (const { jurisdiction, distance } of shown.lists.iftaSummary.nodes as unknown as IftaSum[])
            sums.set(jurisdiction, rounded((sums.get(jurisdiction) ?? 0) + distance, 3))
          expect(new Map(shown.sums.map(({ jurisdiction, distance }) => [jurisdiction, distance]))).toEqual(
            sums,
          )
        }
    },
  )

  test('no list reveals which records of a vehicle are those of a hidden driver', async () => {
    const seeded = await seedApplication(db, [uniformRecords(2)])
    const [{ vehicles, drivers }] = seeded.connections as [(typeof seeded.connections)[number]]
    const variables = { vehicle: vehicles[0]!.id, drivers: [drivers[0]!.id] }
    const document = documentOf(`query ($vehicle: ID!, $drivers: [ID!]) {
      trips(driverIds: $drivers) { nodes { id } }
      vehicle(id: $vehicle) {
        trips(driverIds: $drivers) { nodes { id } }
        safetyEvents(driverIds: $drivers) { nodes { id } }
      }
    }`)
    const counts = async () => {
      const { data, errors } = await ask(executor, contextFor, { client: seeded.client, document, variables })
      expect(errors).toBeUndefined()
      const { trips, vehicle } = data as unknown as Record<string, never> & {
        readonly trips: { readonly nodes: readonly unknown[] }
        readonly vehicle: Readonly<Record<string, { readonly nodes: readonly unknown[] }>>
      }
      return [trips, ...Object.values(vehicle)].map(({ nodes }) => nodes.length)
    }
    expect(await counts()).toEqual([2, 2, 1])
    await setFilters(db, seeded.connections[0]!, { drivers: { excludeIds: variables.drivers } })
    expect(await counts()).toEqual([0, 0, 0])
  })
})
