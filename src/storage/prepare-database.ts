import { type DatabasePlace, migrate, type Progress, rowsOf, warnOfNewer, withRunner } from './migrate.ts'
import { migrationState } from './migration-state.ts'
import { layOutSeries } from './series/lay-out.ts'

interface Wanted {
  readonly migrate: 'on' | 'off'
  readonly retentionDays: number | undefined
}

/** Tables are as this version needs them before anything reads them; what would take long is left to be asked for. */
export async function prepareDatabase(
  place: DatabasePlace,
  wanted: Wanted,
  progress: Progress,
): Promise<void> {
  if (wanted.migrate === 'off') return requireMigrated(place, progress)
  await migrateFor(place, { ...wanted, largeToo: false }, progress)
}

/** Applies the migrations and lays series out for their retention. */
export const migrateFor = (
  place: DatabasePlace,
  { retentionDays, largeToo }: { readonly retentionDays: number | undefined; readonly largeToo: boolean },
  progress: Progress,
): Promise<void> =>
  migrate(place, {
    progress,
    ...(retentionDays === undefined
      ? {}
      : { afterwards: layOutSeries({ retentionDays, now: Date.now(), largeToo }) }),
  })

async function requireMigrated(place: DatabasePlace, progress: Progress): Promise<void> {
  const state = await withRunner(place, (runner) => migrationState(rowsOf(runner)))
  warnOfNewer(state, progress)
  if (state.pending.length > 0)
    throw new Error(
      `the database lacks ${state.pending.join(', ')}: run \`npm run migrate\`, or start with --migrate on`,
    )
}
