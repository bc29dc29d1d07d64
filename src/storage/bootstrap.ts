import { type DatabaseLocation, migrate, type Progress, rowsOf, warnOfNewer, withRunner } from './migrate.ts'
import { migrationState } from './migration-state.ts'
import { ensurePartitions } from './series/ensure-partitions.ts'

interface BootstrapOptions {
  readonly migrate: 'on' | 'off'
  readonly retentionDays: number | undefined
}

/** Tables are as this version needs them before anything reads them; what would take long is left to be asked for. */
export async function bootstrapDatabase(
  place: DatabaseLocation,
  wanted: BootstrapOptions,
  progress: Progress,
): Promise<void> {
  if (wanted.migrate === 'off') return requireMigrated(place, progress)
  await migrateAndPartition(place, { ...wanted, largeToo: false }, progress)
}

/** Applies the migrations and lays series out for their retention. */
export const migrateAndPartition = (
  place: DatabaseLocation,
  { retentionDays, largeToo }: { readonly retentionDays: number | undefined; readonly largeToo: boolean },
  progress: Progress,
): Promise<void> =>
  migrate(place, {
    progress,
    ...(retentionDays === undefined
      ? {}
      : { afterwards: ensurePartitions({ retentionDays, now: Date.now(), largeToo }) }),
  })

async function requireMigrated(place: DatabaseLocation, progress: Progress): Promise<void> {
  const state = await withRunner(place, (runner) => migrationState(rowsOf(runner)))
  warnOfNewer(state, progress)
  if (state.pending.length > 0)
    throw new Error(
      `the database lacks ${state.pending.join(', ')}: run \`npm run migrate\`, or start with --migrate on`,
    )
}
