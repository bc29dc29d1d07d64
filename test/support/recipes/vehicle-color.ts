import type { Recipe } from './recipe.ts'

/** Adds the optional field `color` to vehicles, which two adapters read. */
export const vehicleColor: Recipe = {
  edits: [
    {
      file: 'src/domain/models/vehicle.ts',
      replace: [
        [
          '  readonly fuelTankCapacityLiters: number | null\n',
          '  readonly fuelTankCapacityLiters: number | null\n  readonly color?: string | null\n',
        ],
      ],
    },
    {
      file: 'src/subgraphs/fleet/vehicle.ts',
      replace: [
        [
          "  @Field(() => Int, { nullable: true, description: 'The model year.' })",
          `  @Field(() => String, { nullable: true, description: 'The color of the vehicle.' })
  @TextColumn({ nullable: true })
  color: string | null

  @Field(() => Int, { nullable: true, description: 'The model year.' })`,
        ],
      ],
    },
    {
      file: 'src/storage/migrations/9999-vehicle-color.ts',
      create: `import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, type Dialect } from '../sql/dialect.ts'

/** Color of vehicles. */
export class VehicleColor implements MigrationInterface {
  readonly name = 'VehicleColor1700000009999'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    await addColumns(runner, dialect, 'vehicles', 'color TEXT NULL')
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
          "import { VehicleColor } from './9999-vehicle-color.ts'\n\nexport interface Migration ",
        ],
        ['  new SessionRoles(),\n', '  new SessionRoles(),\n  new VehicleColor(),\n'],
      ],
    },
    {
      file: 'bench/fleet.ts',
      replace: [
        [
          '  year: nullEvery(25, at, 2005 + (at % 20)),\n',
          '  year: nullEvery(25, at, 2005 + (at % 20)),\n  color: null,\n',
        ],
      ],
    },
    {
      file: 'src/providers/traccar/mappers.ts',
      replace: [
        [
          '}: z.infer<typeof records.device>): NormalizedVehicle => ({\n',
          "}: z.infer<typeof records.device>): NormalizedVehicle => ({\n  color: textIn(attributes, 'color'),\n",
        ],
      ],
    },
    {
      file: 'src/providers/samsara/schemas/roster.ts',
      replace: [['  vehicle: z.looseObject({\n', '  vehicle: z.looseObject({\n    color: text,\n']],
    },
    {
      file: 'src/providers/samsara/mappers/roster.ts',
      replace: [['  vin: vehicle.vin,\n', '  vin: vehicle.vin,\n  color: vehicle.color,\n']],
    },
  ],
  check: `import { expect, test } from 'vitest'
import { toVehicle as fromSamsara } from '../../src/providers/samsara/mappers/roster.ts'
import { vehicle as samsaraVehicle } from '../../src/providers/samsara/schemas/roster.ts'
import { toVehicle as fromTraccar } from '../../src/providers/traccar/mappers.ts'
import { device as traccarDevice } from '../../src/providers/traccar/schemas.ts'
import { changedBy, LinkedSync } from '../support/recipes/linked-sync.ts'
import { stores } from '../support/database/stores.ts'

test('both adapters read the color', () => {
  expect(fromTraccar(traccarDevice.parse({ id: 1, name: 'Truck', attributes: { color: 'red' } })).color).toBe('red')
  const record = { vehicle: { id: '1', name: 'Truck', color: 'blue' }, energyType: null }
  expect(fromSamsara(samsaraVehicle.parse(record)).color).toBe('blue')
})

test.each(stores)('REST, GraphQL and events have the color, on %s', async (store) => {
  await using service = await LinkedSync.start(store, changedBy('Vehicle', (vehicle: object) => ({ ...vehicle, color: 'red' })))
  const { results } = await service.get('/vehicles')
  expect(results.map(({ color }) => color)).toEqual(results.map(() => 'red'))
  expect(await service.query('{ vehicles(first: 1) { nodes { color } } }')).toEqual({
    vehicles: { nodes: [{ color: 'red' }] },
  })
  expect(await service.eventDetails('vehicle.added')).toContainEqual(
    expect.objectContaining({ vehicle: expect.objectContaining({ color: 'red' }) }),
  )
})
`,
}
