import type { Caller, Credentials } from '../auth/caller.ts'
import {
  connectionReads,
  type ConnectionReadsFrom,
  type ConnectionsContext,
} from '../subgraphs/connections/reads.ts'
import type { ConnectionWritesFrom } from '../subgraphs/connections/writes-from.ts'
import { connectionWrites, type ConnectionWritesContext } from '../subgraphs/connections/writes.ts'
import { eventReads, type EventReadsFrom, type EventsContext } from '../subgraphs/events/reads.ts'
import { fleetReads, type FleetContext } from '../subgraphs/fleet/reads.ts'
import type { LiveFrom } from '../subgraphs/live.ts'
import { recordReads, type RecordsContext } from '../subgraphs/records/reads.ts'
import {
  telemetryReads,
  type TelemetryContext,
  type TelemetryReadsFrom,
} from '../subgraphs/telemetry/reads.ts'
import type { Forwarded } from './federate.ts'

interface Reads extends ConnectionsContext, FleetContext, RecordsContext, TelemetryContext, EventsContext {}

/** What every resolver of an operation sees: reads and verbs that are bound to its caller, and nothing else. */
export interface Context extends Reads, ConnectionWritesContext, Forwarded {}

export type ContextFrom = ConnectionReadsFrom &
  ConnectionWritesFrom &
  EventReadsFrom &
  TelemetryReadsFrom &
  LiveFrom

/** Makes the context of one operation, or of one event of a subscription: its loaders live as long as it does. */
export type ContextFor = (caller: Caller, credentials: Credentials) => Context

export const contexts =
  (from: ContextFrom): ContextFor =>
  (caller, credentials) =>
    new BoundContext(from, caller, credentials)

interface Made {
  reads: { -readonly [Name in keyof Reads]?: Reads[Name] }
  writes?: ConnectionWritesContext['writes']
}

/**
 * Makes the reads of a subgraph when an operation first needs them. The getters stand on the prototype and what they
 * have made in one object: Apollo Server copies a context, its own members only. After a write all is read anew.
 */
class BoundContext implements Context {
  private readonly made: Made = { reads: {} }

  constructor(
    private readonly from: ContextFrom,
    private readonly caller: Caller,
    private readonly credentials: Credentials,
  ) {}

  get connections() {
    return (this.made.reads.connections ??= connectionReads(this.from, this.caller))
  }

  get fleet() {
    return (this.made.reads.fleet ??= fleetReads(this.from, this.caller))
  }

  get records() {
    return (this.made.reads.records ??= recordReads(this.from, this.caller))
  }

  get telemetry() {
    return (this.made.reads.telemetry ??= telemetryReads(this.from, this.caller))
  }

  get events() {
    return (this.made.reads.events ??= eventReads(this.from, this.caller))
  }

  get writes() {
    const { made } = this
    return (made.writes ??= connectionWrites(this.from, this.caller, () => (made.reads = {})))
  }

  get forwarded() {
    return headersOf(this.credentials)
  }
}

function headersOf({ authorization, connectionToken }: Credentials): Record<string, string> {
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(connectionToken === undefined ? {} : { 'connection-token': connectionToken }),
  }
}
