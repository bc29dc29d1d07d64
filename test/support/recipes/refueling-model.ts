import type { Recipe } from './recipe.ts'

/** Adds the record model `Refueling`, with events and REST routes. */
export const refuelingModel: Recipe = {
  edits: [
    {
      file: 'src/domain/models/refueling.ts',
      create: `import type { Instant } from '../time.ts'
import { defineModel, exampleId } from './define-model.ts'
import { lookbackDays } from './lookback.ts'
import { liters } from './value-ranges.ts'

export interface NormalizedRefueling {
  readonly sourceId: string
  readonly vehicleSourceId: string
  readonly driverSourceId: string | null
  readonly startedAt: Instant
  readonly volumeLiters: number | null
}

export const refuelingModel = defineModel<NormalizedRefueling>()({
  name: 'Refueling',
  read: 'sync',
  id: { kind: 'refueling', prefix: 'rfl' },
  node: { typeName: 'Refueling', table: 'refuelings' },
  queryFields: ['refueling', 'refuelings'],
  scope: 'refuelings:read',
  sessionScope: 'READ_RECORDS',
  consentCategory: 'fuel_tax',
  owner: 'vehicle',
  lookback: lookbackDays(1),
  events: {
    prefix: 'refueling',
    member: 'refueling',
    types: { added: { description: 'A vehicle was refueled.' } },
    example: { vehicle: exampleId('vcl'), startedAt: '2026-01-31T12:00:00.000Z', volume: 310.5 },
  },
  ranges: { volumeLiters: liters },
  required: { startedAt: true },
  columns: (normalized, resolveId) => ({
    vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
    driverId: resolveId('driver', normalized.driverSourceId),
    startedAt: normalized.startedAt,
    volume: normalized.volumeLiters,
  }),
})
`,
    },
    {
      file: 'src/domain/models/models.ts',
      replace: [
        [
          "import { safetyEventModel } from './safety-event.ts'\n",
          "import { refuelingModel } from './refueling.ts'\nimport { safetyEventModel } from './safety-event.ts'\n",
        ],
        ['  tripModel,\n', '  tripModel,\n  refuelingModel,\n'],
      ],
    },
    {
      file: 'src/subgraphs/records/refueling.ts',
      create: `import { Directive, Field, Float, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, InstantColumn, NumberColumn } from '../../storage/sql/columns.ts'
import { Computed, Loaded } from '../schema/build-subgraph.ts'
import { entityRef } from '../schema/entity-references.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime } from '../schema/scalars.ts'
import { RawData, RecordMetadata } from '../schema/value-types.ts'
import { LIST_INDEXES, listIndexesBy, ProviderRecord } from '../tables/provider-record.ts'
import { RecordsDriverExtension, RecordsVehicleExtension } from './entity-extensions.ts'
import type { RawContext } from './raw-context.ts'

@Directive('@key(fields: "id")')
@Entity('refuelings')
@Indexes(...LIST_INDEXES, ...listIndexesBy('startedAt', 'vehicleId', 'driverId'))
@ObjectType({ implements: Node, simpleResolvers: true, description: 'A refueling of a vehicle.' })
export class Refueling extends ProviderRecord {
  @IdColumn()
  vehicleId: string

  @IdColumn({ nullable: true })
  driverId: string | null

  @Field(() => RecordsVehicleExtension, { nullable: true, description: 'The refueled vehicle.' })
  @Computed((row: Refueling) => entityRef(row.vehicleId))
  vehicle?: RecordsVehicleExtension | null

  @Field(() => RecordsDriverExtension, { nullable: true, description: 'The driver. Null if unknown.' })
  @Computed((row: Refueling) => entityRef(row.driverId))
  driver?: RecordsDriverExtension | null

  @Field(() => DateTime, { description: 'When the refueling started.' })
  @InstantColumn()
  startedAt: number

  @Field(() => Float, { nullable: true, description: 'The volume in liters.' })
  @NumberColumn({ nullable: true })
  volume: number | null

  @Field(() => RecordMetadata, { description: 'When Odograph stored and changed the record.' })
  @Computed((row: Refueling) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records from which this record was mapped." })
  @Loaded((row: Refueling, { records }: RawContext) => records.raw.load(row.id))
  raw?: RawData[]
}
`,
    },
    {
      file: 'src/subgraphs/records/refueling.resolver.ts',
      create: `import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../schema/connection-ids.ts'
import type { EntityRef } from '../schema/entity-references.ts'
import { pageType } from '../schema/page-types.ts'
import { RecordArgs } from './list-args.ts'
import { Refueling } from './refueling.ts'
import type { RecordsContext } from './repository.ts'

export const RefuelingPage = pageType('Refueling', () => Refueling)

@Resolver(() => Refueling)
export class RefuelingResolver {
  @Query(() => RefuelingPage, { description: 'The refuelings, ordered by start.' })
  refuelings(
    @Args(() => RecordArgs) args: RecordArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<Refueling>> {
    return records.refuelings.page(args, connectionIds)
  }

  @Query(() => Refueling, { nullable: true, description: 'The refueling with this id. Null if there is none.' })
  refueling(
    @Arg('id', () => ID, { description: "The refueling's id." }) id: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<Refueling | null> {
    return records.refuelings.byId.load(id)
  }
}

export const resolveRefueling = (
  { id }: EntityRef,
  { records }: RecordsContext,
): Promise<Refueling | null> => records.refuelings.byId.load(id)
`,
    },
    {
      file: 'src/subgraphs/records/repository.ts',
      replace: [
        [
          "import { Trip } from './trip.ts'\n",
          "import { Refueling } from './refueling.ts'\nimport { Trip } from './trip.ts'\n",
        ],
        [
          '  return {\n    trips,\n',
          "  return {\n    refuelings: createList(Refueling, 'vehicleId', 'startedAt', recordConditions),\n    trips,\n",
        ],
      ],
    },
    {
      file: 'src/subgraphs/records/subgraph.ts',
      replace: [
        [
          "import { resolveTrip, TripResolver } from './trip.resolver.ts'\n",
          "import { RefuelingResolver, resolveRefueling } from './refueling.resolver.ts'\nimport { resolveTrip, TripResolver } from './trip.resolver.ts'\n",
        ],
        ['    TripResolver,\n', '    TripResolver,\n    RefuelingResolver,\n'],
        ['    Trip: resolveTrip,\n', '    Trip: resolveTrip,\n    Refueling: resolveRefueling,\n'],
      ],
    },
    {
      file: 'src/storage/migrations/9999-refuelings.ts',
      create: `import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect } from '../sql/dialect.ts'
import { SOURCED, SOURCED_KEYS } from './provider-record-columns.ts'

/** Table of refuelings. */
export class Refuelings implements MigrationInterface {
  readonly name = 'Refuelings1700000009999'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    const owners = ['connectionId', 'applicationId', 'vehicleId', 'driverId']
    const table = {
      name: 'refuelings',
      columns: \`\${SOURCED}
        vehicleId ID NOT NULL
        driverId ID NULL
        startedAt INSTANT NOT NULL
        volume NUMBER NULL\`,
      primaryKey: ['id'],
      indexes: [...SOURCED_KEYS.indexes, ...owners.map((owner) => [owner, 'startedAt', 'id'])],
    }
    for (const sql of createTable(dialect, table)) await runner.query(sql)
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
`,
    },
    {
      file: 'src/storage/migrations/migrations.ts',
      replace: [
        [
          '\nexport interface Migration ',
          "import { Refuelings } from './9999-refuelings.ts'\n\nexport interface Migration ",
        ],
        ['  new SessionRoles(),\n', '  new SessionRoles(),\n  new Refuelings(),\n'],
      ],
    },
    {
      file: 'src/sync/pipeline/stored-models.ts',
      replace: [
        [
          "import { Trip } from '../../subgraphs/records/trip.ts'\n",
          "import { Refueling } from '../../subgraphs/records/refueling.ts'\nimport { Trip } from '../../subgraphs/records/trip.ts'\n",
        ],
        [
          "  Trip: declareStorage('Trip', Trip),\n",
          "  Trip: declareStorage('Trip', Trip),\n  Refueling: declareStorage('Refueling', Refueling),\n",
        ],
      ],
    },
    {
      file: 'rest-compat/routes/refuelings.ts',
      create: `import { z } from 'zod'
import { dateTime, expand, ids, modified, page, raw } from '../request/query-params.ts'
import { pageInfo, pageShape } from '../response/response-shape.ts'
import { route } from '../route.ts'

export const listRefuelings = route({
  method: 'GET',
  path: '/refuelings',
  summary: 'List refuelings',
  tag: 'Vehicles',
  auth: 'connection',
  query: z.object({
    ...page,
    ...modified,
    startedAfter: dateTime,
    startedBefore: dateTime,
    vehicleIds: ids('vehicle'),
    raw,
    expand: expand('vehicle', 'driver'),
  }),
  operation: \`
    query ListRefuelings(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime, $startedAfter: DateTime,
      $startedBefore: DateTime, $vehicleIds: [ID!], $raw: Boolean!, $vehicle: Boolean!, $driver: Boolean!
    ) {
      refuelings(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore,
        startedAfter: $startedAfter, startedBefore: $startedBefore, vehicleIds: $vehicleIds
      ) { nodes { ...Refueling } \${pageInfo} }
    }\`,
  response: pageShape('refuelings'),
})
`,
    },
    {
      file: 'rest-compat/routes.ts',
      replace: [
        [
          "import { listTrips } from './routes/trips.ts'\n",
          "import { listRefuelings } from './routes/refuelings.ts'\nimport { listTrips } from './routes/trips.ts'\n",
        ],
        [
          '  listVehicles, //',
          '  listRefuelings, //                 GET    /refuelings                       both\n  listVehicles, //',
        ],
      ],
    },
    {
      file: 'sdk/src/resources.ts',
      replace: [
        [
          "  trips: { list: list('listTrips') },\n",
          "  trips: { list: list('listTrips') },\n  refuelings: { list: list('listRefuelings') },\n",
        ],
      ],
    },
  ],
  check: `import { expect, test } from 'vitest'
import { LinkedSync, withReader } from '../support/recipes/linked-sync.ts'
import { stores } from '../support/database/stores.ts'

const HOUR_MS = 3_600_000

const reader = {
  mode: 'full',
  schema: 'refueling',
  read: () =>
    Promise.resolve({ records: [{ id: 'r1', at: Date.now() - HOUR_MS, volume: 310.5 }, { id: 'r2', at: Date.now() - HOUR_MS, volume: -1 }], next: null }),
  normalize: ({ id, at, volume }: { id: string; at: number; volume: number }) => ({
    sourceId: id,
    vehicleSourceId: 'veh-3-1',
    driverSourceId: null,
    startedAt: at,
    volumeLiters: volume,
  }),
}

test.each(stores)('REST, GraphQL, nodes and events have the model, on %s', async (store) => {
  await using service = await LinkedSync.start(store, withReader('Refueling', reader))
  const { results } = await service.get('/refuelings?expand=vehicle&raw=true')
  expect(results).toHaveLength(2)
  const [refueling] = results.filter(({ sourceId }) => sourceId === 'r1')
  expect(refueling).toMatchObject({ volume: 310.5, vehicle: { sourceId: 'veh-3-1' }, raw: [{ schema: 'refueling' }] })
  expect(refueling!['id']).toMatch(/^rfl_/)
  expect(results.find(({ sourceId }) => sourceId === 'r2')).not.toHaveProperty('volume')
  expect(await service.query(\`{ node(id: "\${String(refueling!['id'])}") { ... on Refueling { volume } } }\`)).toEqual({
    node: { volume: 310.5 },
  })
  expect(await service.eventDetails('refueling.added')).toContainEqual(
    expect.objectContaining({ refueling: expect.objectContaining({ volume: 310.5 }) }),
  )
})
`,
}
