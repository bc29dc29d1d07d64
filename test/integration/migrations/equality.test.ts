import { createConnection } from 'mysql2/promise'
import { DataSource, getMetadataArgsStorage } from 'typeorm'
import { describe, expect, test } from 'vitest'
import '../../../src/app/start-service.ts'
import { parseMysqlUrl } from '../../../src/platform/config/mysql-url.ts'
import { typeormOptions } from '../../../src/storage/mysql/options.ts'
import { sqliteOptions } from '../../../src/storage/sql/dialect.ts'
import { type DatabaseLocation, migrate } from '../../../src/storage/migrate.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import type { Store } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'
import { TestRow } from '../../support/storage/test-table.ts'
import { emptyDatabase } from '../../support/migrations/migration-harness.ts'
import { type Schema, schemaOf, type TableShape } from '../../support/migrations/schema-snapshot.ts'

/** Parts of the schema that no entity declares, with the reason. */
const undeclared = {
  tables: {
    commits: 'transaction markers; only the SQL of commits.ts uses them',
    log_heads: 'counters and a lock; only the SQL of the event sequencer uses them',
    open_writes: 'open writes; only the SQL of open-writes.ts uses them',
    migrations: 'applied migrations; the table exists before every entity',
  },
  columns: {
    'connections.hasFilters': 'the database generates it from `filters`, for an index',
  },
  indexes: {
    'connections: applicationId, hasFilters': 'no entity has the column',
  },
  /** Types that an entity cannot declare, by store: from the type of the entity to that of the migrations. */
  types: {
    sqlite: {},
    mariadb: {
      // TypeORM's simple-json is MySQL's text, which is limited to 64 KiB.
      'text utf8mb4_bin': 'longtext utf8mb4_bin',
      'text utf8mb4_bin null': 'longtext utf8mb4_bin null',
      // SQLite increments only an `integer`, which is MySQL's int.
      'int auto_increment': 'bigint auto_increment',
    },
  } satisfies Record<Store, Readonly<Record<string, string>>>,
}

/** Returns the entities, except that of the tests and those with a part of the columns of another. */
function completeEntities(): (abstract new () => object)[] {
  const entities = getMetadataArgsStorage()
    .tables.map(({ target }) => target as abstract new () => object)
    .filter((entity) => entity !== TestRow)
  return entities.filter((entity) => !entities.some((other) => isPartOf(entity, other)))
}

function isPartOf(entity: abstract new () => object, other: abstract new () => object): boolean {
  const [part, whole] = [tableOf(entity), tableOf(other)]
  const names: readonly string[] = whole.columns
  return (
    part.name === whole.name &&
    part.columns.length < names.length &&
    part.columns.every((column) => names.includes(column))
  )
}

async function synchronize(place: DatabaseLocation): Promise<void> {
  if (place.mysqlUrl) await sortByBytes(place.mysqlUrl)
  const options = place.mysqlUrl
    ? typeormOptions(parseMysqlUrl(place.mysqlUrl)[0])
    : sqliteOptions(place.sqlitePath)
  const source = await new DataSource({ ...options, entities: completeEntities() }).initialize()
  await source.synchronize()
  await source.destroy()
}

/** Sets the collation of the migrations, since entities declare none. */
async function sortByBytes(url: string): Promise<void> {
  const connection = await createConnection(url)
  await connection.query('ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_bin')
  await connection.end()
}

/** Returns a migrated schema without the undeclared parts. */
const declaredPart = (schema: Schema): Schema =>
  mapSchema(
    schema,
    ([name]) => !(name in undeclared.tables),
    (name, { columns, ...shape }) => ({
      ...shape,
      columns: Object.fromEntries(
        Object.entries(columns).filter(([column]) => !(`${name}.${column}` in undeclared.columns)),
      ),
      indexes: shape.indexes.filter((index) => !(`${name}: ${index}` in undeclared.indexes)),
    }),
  )

/** Returns the schema of the entities with the types of the migrations. */
const asMigrated = (schema: Schema, store: Store): Schema => {
  const types: Readonly<Record<string, string>> = undeclared.types[store]
  return mapSchema(
    schema,
    () => true,
    (_, shape) => ({
      ...shape,
      columns: Object.fromEntries(
        Object.entries(shape.columns).map(([column, type]) => [column, types[type] ?? type]),
      ),
    }),
  )
}

const mapSchema = (
  schema: Schema,
  kept: (entry: [string, TableShape]) => boolean,
  change: (name: string, shape: TableShape) => TableShape,
): Schema =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(kept)
      .map(([name, shape]) => [name, change(name, shape)]),
  )

describe.each(stores)('a migrated database on %s', (store) => {
  test('matches the entities: tables, columns, keys and indexes', async () => {
    await using migrated = await emptyDatabase(store)
    await using synchronized = await emptyDatabase(store)
    await migrate(migrated.place)
    await synchronize(synchronized.place)
    expect(asMigrated(await schemaOf(synchronized.place), store)).toEqual(
      declaredPart(await schemaOf(migrated.place)),
    )
  })

  test('has every undeclared part', async () => {
    await using migrated = await emptyDatabase(store)
    await migrate(migrated.place)
    const schema = await schemaOf(migrated.place)
    const columns = Object.entries(schema).flatMap(([name, shape]) =>
      Object.keys(shape.columns).map((column) => `${name}.${column}`),
    )
    const indexes = Object.entries(schema).flatMap(([name, shape]) =>
      shape.indexes.map((index) => `${name}: ${index}`),
    )
    expect(Object.keys(schema)).toEqual(expect.arrayContaining(Object.keys(undeclared.tables)))
    expect(columns).toEqual(expect.arrayContaining(Object.keys(undeclared.columns)))
    expect(indexes).toEqual(expect.arrayContaining(Object.keys(undeclared.indexes)))
  })
})

test('every table has exactly one complete entity', () => {
  const names = completeEntities().map((entity) => tableOf(entity).name)
  expect([...names].sort()).toEqual([...new Set(names)].sort())
})
