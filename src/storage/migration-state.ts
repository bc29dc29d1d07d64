import type { Instant } from '../domain/time.ts'
import type { Database } from './database.ts'
import { type Migration, migrations } from './migrations/migrations.ts'

export interface MigrationState {
  readonly applied: readonly string[]
  /** Migrations that this version contains and that the database has not applied. */
  readonly pending: readonly string[]
  /** Applied migrations that this version does not contain. A newer version applied them. */
  readonly newer: readonly string[]
  /** When each migration was applied. Older versions recorded no time. */
  readonly appliedAt: ReadonlyMap<string, Instant>
}

type ReadDatabase = Pick<Database, 'rows' | 'dialect'>

/** Compares the applied migrations with those of this version. */
export async function migrationState(
  db: ReadDatabase,
  known: readonly Pick<Migration, 'name'>[] = migrations,
): Promise<MigrationState> {
  const rows = await appliedRows(db)
  const applied = rows.map(({ name }) => name)
  const names = known.map(({ name }) => name)
  return {
    applied,
    pending: names.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !names.includes(name)),
    appliedAt: new Map(
      rows.flatMap(({ name, appliedAt }) => (appliedAt == null ? [] : [[name, Number(appliedAt)]])),
    ),
  }
}

interface AppliedRow {
  readonly name: string
  readonly appliedAt?: number | string | null
}

/** Reads the table `migrations`. A new database does not have it, and older versions created it without `appliedAt`. */
async function appliedRows({ rows, dialect }: ReadDatabase): Promise<AppliedRow[]> {
  const [existingTable] = await rows(
    dialect === 'mysql'
      ? "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'migrations'"
      : "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'",
  )
  return existingTable ? rows<AppliedRow>('SELECT * FROM `migrations` ORDER BY `id`') : []
}
