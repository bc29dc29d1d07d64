import { type DatabaseLocation, migrate, type Progress, rowsOf, warnOfNewer, withRunner } from './migrate.ts'
import { migrationState } from './migration-state.ts'
import { ensurePartitions } from './series/ensure-partitions.ts'

interface BootstrapOptions {
  readonly migrate: 'on' | 'off'
  readonly retentionDays: number | undefined
}

/** Brings the tables to this version before anything reads them. Large tables are not rewritten at a start. */
export async function bootstrapDatabase(
  place: DatabaseLocation,
  options: BootstrapOptions,
  progress: Progress,
): Promise<void> {
  if (options.migrate === 'off') return requireMigrated(place, progress)
  await migrateAndPartition(place, { ...options, includeLarge: false }, progress)
}

/** Applies the migrations, and partitions the time series if they have a retention. */
export const migrateAndPartition = (
  place: DatabaseLocation,
  {
    retentionDays,
    includeLarge,
  }: { readonly retentionDays: number | undefined; readonly includeLarge: boolean },
  progress: Progress,
): Promise<void> =>
  migrate(place, {
    progress,
    ...(retentionDays === undefined
      ? {}
      : { afterwards: ensurePartitions({ retentionDays, now: Date.now(), includeLarge }) }),
  })

async function requireMigrated(place: DatabaseLocation, progress: Progress): Promise<void> {
  const state = await withRunner(place, (runner) => migrationState(rowsOf(runner)))
  warnOfNewer(state, progress)
  if (state.pending.length > 0)
    throw new Error(
      `the database lacks ${state.pending.join(', ')}: run \`npm run migrate\`, or start with --migrate on`,
    )
}
