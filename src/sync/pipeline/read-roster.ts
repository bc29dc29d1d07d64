import { rosterIds } from '../ingest/roster-ids.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { Roster, RosterKind } from '../../providers/provider.ts'
import type { SyncRun } from '../sync-run.ts'

/** Error: the sync could not read the vehicles, drivers or trailers that a reader iterates over. */
export class RosterUnavailable extends Error {
  override readonly name = 'RosterUnavailable'
}

const models: Readonly<Record<RosterKind, SyncedModel>> = {
  vehicle: 'Vehicle',
  driver: 'Driver',
  trailer: 'Trailer',
}

/**
 * Returns the roster of a connection: its stored vehicles, drivers and trailers. The roster throws `RosterUnavailable`
 * for a kind that this sync could not read.
 */
export function readRoster({ db, connection, unreadModels }: SyncRun): Roster {
  const roster = rosterIds(db, connection)
  return {
    async sourceIdsAfter(kind, after, limit) {
      if (unreadModels.has(models[kind])) throw new RosterUnavailable(`the ${kind} roster was not read`)
      return roster.sourceIdsAfter(kind, after, limit)
    },
  }
}
