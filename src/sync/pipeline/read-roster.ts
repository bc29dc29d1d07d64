import { rosterIds } from '../ingest/roster-ids.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { Roster, RosterKind } from '../../providers/provider.ts'
import type { SyncRun } from '../sync-run.ts'

/** Who would have to be asked for was not read: to ask for nobody would pass over what there is. */
export class RosterUnavailable extends Error {
  override readonly name = 'RosterUnavailable'
}

const models: Readonly<Record<RosterKind, SyncedModel>> = {
  vehicle: 'Vehicle',
  driver: 'Driver',
  trailer: 'Trailer',
}

/** The roster of a connection, as far as this sync could read it. */
export function readRoster({ db, connection, unreadModels }: SyncRun): Roster {
  const roster = rosterIds(db, connection)
  return {
    async sourceIdsAfter(kind, after, most) {
      if (unreadModels.has(models[kind])) throw new RosterUnavailable(`the list of each ${kind} was not read`)
      return roster.sourceIdsAfter(kind, after, most)
    },
  }
}
