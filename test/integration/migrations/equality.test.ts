import { createConnection } from 'mysql2/promise'
import { DataSource, getMetadataArgsStorage } from 'typeorm'
import { describe, expect, test } from 'vitest'
import '../../../src/app/start-service.ts'
import { parseMysqlUrl } from '../../../src/platform/config/mysql-url.ts'
import { typeormOptions } from '../../../src/storage/mysql/options.ts'
import { sqliteOptions } from '../../../src/storage/sql/dialect.ts'
import { type DatabaseLocation, migrate } from '../../../src/storage/migrate.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import type { Store } from '../../prove/service-process.ts'
import { stores } from '../../support/stores.ts'
import { TestRow } from '../../support/storage/test-table.ts'
import { emptyDatabase } from '../../support/migrations/migration-harness.ts'
import { type Schema, schemaOf, type TableShape } from '../../support/migrations/schema-snapshot.ts'

/** What migrations make and no entity says, with the reason. */
const unsaid = {
  tables: {
    commits: 'marks of transactions, put and looked for by the SQL of commits.ts alone',
    log_heads: 'counters and a lock, kept by the SQL of the dispatcher alone',
    open_writes: 'registered and signed off by the SQL of open-writes.ts alone',
    migrations: 'the record of what has been applied; it is there before every entity',
  },
  columns: {
    'connections.hasFilters': 'made by the database out of `filters`, for an index; nothing writes it',
  },
  indexes: {
    'connections: applicationId, hasFilters': 'of a column that no entity has',
  },
  /** By store, the types that an entity cannot name: what it says, and what migrations make of it. */
  types: {
    sqlite: {},
    mariadb: {
      // TypeORM's simple-json is MySQL's text, which ends after 64 KiB.
      'text utf8mb4_bin': 'longtext utf8mb4_bin',
      'text utf8mb4_bin null': 'longtext utf8mb4_bin null',
      // SQLite counts in nothing but an `integer`, which is MySQL's int.
      'int auto_increment': 'bigint auto_increment',
    },
  } satisfies Record<Store, Readonly<Record<string, string>>>,
}

/** The entities of the code, without those that are a part of the columns of another, and without that of the tests. */
function wholeEntities(): (abstract new () => object)[] {
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
  const source = await new DataSource({ ...options, entities: wholeEntities() }).initialize()
  await source.synchronize()
  await source.destroy()
}

/** As every table that a migration makes: an entity does not say how its text is sorted. */
async function sortByBytes(url: string): Promise<void> {
  const connection = await createConnection(url)
  await connection.query('ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_bin')
  await connection.end()
}

/** What migrations made, without what no entity says. */
const sayable = (schema: Schema): Schema =>
  shapes(
    schema,
    ([name]) => !(name in unsaid.tables),
    (name, { columns, ...shape }) => ({
      ...shape,
      columns: Object.fromEntries(
        Object.entries(columns).filter(([column]) => !(`${name}.${column}` in unsaid.columns)),
      ),
      indexes: shape.indexes.filter((index) => !(`${name}: ${index}` in unsaid.indexes)),
    }),
  )

/** What the entities made, in the types of the migrations. */
const asMigrated = (schema: Schema, store: Store): Schema => {
  const types: Readonly<Record<string, string>> = unsaid.types[store]
  return shapes(
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

const shapes = (
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
  test('is what the entities say: tables, columns, keys and indexes', async () => {
    await using migrated = await emptyDatabase(store)
    await using synchronized = await emptyDatabase(store)
    await migrate(migrated.place)
    await synchronize(synchronized.place)
    expect(asMigrated(await schemaOf(synchronized.place), store)).toEqual(
      sayable(await schemaOf(migrated.place)),
    )
  })

  test('has everything that no entity is said to say', async () => {
    await using migrated = await emptyDatabase(store)
    await migrate(migrated.place)
    const schema = await schemaOf(migrated.place)
    const columns = Object.entries(schema).flatMap(([name, shape]) =>
      Object.keys(shape.columns).map((column) => `${name}.${column}`),
    )
    const indexes = Object.entries(schema).flatMap(([name, shape]) =>
      shape.indexes.map((index) => `${name}: ${index}`),
    )
    expect(Object.keys(schema)).toEqual(expect.arrayContaining(Object.keys(unsaid.tables)))
    expect(columns).toEqual(expect.arrayContaining(Object.keys(unsaid.columns)))
    expect(indexes).toEqual(expect.arrayContaining(Object.keys(unsaid.indexes)))
  })
})

test('every table has one entity that is whole', () => {
  const names = wholeEntities().map((entity) => tableOf(entity).name)
  expect([...names].sort()).toEqual([...new Set(names)].sort())
})
