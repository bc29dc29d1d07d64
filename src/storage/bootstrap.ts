import { type DatabaseLocation, migrate, type Progress, rowsOf, warnOfNewer, withRunner } from './migrate.ts'
import { migrationState } from './migration-state.ts'
import { ensurePartitions } from './series/ensure-partitions.ts'

interface BootstrapOptions {
  readonly migrate: 'on' | 'off'
  readonly retentionDays: number | undefined
}

/**
 * Migrates the database at the start of a process, before anything reads it. With `migrate: 'off'`, it only checks that
 * no migration is pending. A start leaves large tables without partitions, because their rewrite takes long. The
 * command `npm run migrate` partitions them.
 */
export async function bootstrapDatabase(
  location: DatabaseLocation,
  options: BootstrapOptions,
  progress: Progress,
): Promise<void> {
  if (options.migrate === 'off') return requireMigrated(location, progress)
  await migrateAndPartition(location, { ...options, includeLarge: false }, progress)
}

/** Applies the migrations, and partitions the time series if they have a retention. */
export const migrateAndPartition = (
  location: DatabaseLocation,
  {
    retentionDays,
    includeLarge,
  }: { readonly retentionDays: number | undefined; readonly includeLarge: boolean },
  progress: Progress,
): Promise<void> =>
  migrate(location, {
    progress,
    ...(retentionDays === undefined
      ? {}
      : { afterwards: ensurePartitions({ retentionDays, now: Date.now(), includeLarge }) }),
  })

async function requireMigrated(location: DatabaseLocation, progress: Progress): Promise<void> {
  const state = await withRunner(location, (runner) => migrationState(rowsOf(runner)))
  warnOfNewer(state, progress)
  if (state.pending.length > 0)
    throw new Error(
      `the database lacks ${state.pending.join(', ')}: run \`npm run migrate\`, or start with --migrate on`,
    )
}
