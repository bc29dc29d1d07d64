import type { Instant } from '../domain/time.ts'
import type { Database } from './database.ts'
import { type Migration, migrations } from './migrations/migrations.ts'

export interface MigrationState {
  readonly applied: readonly string[]
  /** Those that this program has and the database lacks. */
  readonly pending: readonly string[]
  /** Those that the database has and this program does not know. */
  readonly newer: readonly string[]
  /** Since when, where it was written down. */
  readonly appliedAt: ReadonlyMap<string, Instant>
}

type Reads = Pick<Database, 'rows' | 'dialect'>

/** How the database and this program's migrations stand to each other. */
export async function migrationState(
  db: Reads,
  known: readonly Pick<Migration, 'name'>[] = migrations,
): Promise<MigrationState> {
  const rows = await appliedIn(db)
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

interface Applied {
  readonly name: string
  readonly appliedAt?: number | string | null
}

/** A record that an older version made has no times, and a new database no record. */
async function appliedIn({ rows, dialect }: Reads): Promise<Applied[]> {
  const [there] = await rows(
    dialect === 'mysql'
      ? "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'migrations'"
      : "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'",
  )
  return there ? rows<Applied>('SELECT * FROM `migrations` ORDER BY `id`') : []
}
