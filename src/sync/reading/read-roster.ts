import { rosterOf } from '../../intake/roster.ts'
import type { SyncedModel } from '../../models.ts'
import type { Roster, RosterKind } from '../../providers/provider.ts'
import type { SyncRun } from '../run.ts'

/** Who would have to be asked for was not read: to ask for nobody would pass over what there is. */
export class RosterUnread extends Error {
  override readonly name = 'RosterUnread'
}

const models: Readonly<Record<RosterKind, SyncedModel>> = {
  vehicle: 'Vehicle',
  driver: 'Driver',
  trailer: 'Trailer',
}

/** The roster of a connection, as far as this sync could read it. */
export function readRoster({ db, connection, unread }: SyncRun): Roster {
  const roster = rosterOf(db, connection)
  return {
    async sourceIdsAfter(kind, after, most) {
      if (unread.has(models[kind])) throw new RosterUnread(`the list of each ${kind} was not read`)
      return roster.sourceIdsAfter(kind, after, most)
    },
  }
}
