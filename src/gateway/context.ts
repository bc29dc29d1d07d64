import type { Caller, Credentials } from '../auth/caller.ts'
import {
  connectionReads,
  type ConnectionReadsFrom,
  type ConnectionsContext,
} from '../subgraphs/connections/reads.ts'
import { eventReads, type EventReadsFrom, type EventsContext } from '../subgraphs/events/reads.ts'
import { fleetReads, type FleetContext } from '../subgraphs/fleet/reads.ts'
import { recordReads, type RecordsContext } from '../subgraphs/records/reads.ts'
import {
  telemetryReads,
  type TelemetryContext,
  type TelemetryReadsFrom,
} from '../subgraphs/telemetry/reads.ts'
import type { Forwarded } from './federate.ts'

/** What every resolver of an operation sees: reads that are bound to its caller, and nothing else. */
export interface Context
  extends ConnectionsContext, FleetContext, RecordsContext, TelemetryContext, EventsContext, Forwarded {}

export type ReadsFrom = ConnectionReadsFrom & EventReadsFrom & TelemetryReadsFrom

/** Makes the context of one operation, or of one event of a subscription: its loaders live as long as it does. */
export type ContextFor = (caller: Caller, credentials: Credentials) => Context

export const contexts =
  (from: ReadsFrom): ContextFor =>
  (caller, credentials) =>
    new BoundContext(from, caller, credentials)

interface Made {
  connections?: ConnectionsContext['connections']
  fleet?: FleetContext['fleet']
  records?: RecordsContext['records']
  telemetry?: TelemetryContext['telemetry']
  events?: EventsContext['events']
}

/**
 * Makes the reads of a subgraph when an operation first needs them. The getters stand on the prototype and what they
 * have made in one object: Apollo Server copies a context, its own members only.
 */
class BoundContext implements Context {
  private readonly made: Made = {}

  constructor(
    private readonly from: ReadsFrom,
    private readonly caller: Caller,
    private readonly credentials: Credentials,
  ) {}

  get connections() {
    return (this.made.connections ??= connectionReads(this.from, this.caller))
  }

  get fleet() {
    return (this.made.fleet ??= fleetReads(this.from, this.caller))
  }

  get records() {
    return (this.made.records ??= recordReads(this.from, this.caller))
  }

  get telemetry() {
    return (this.made.telemetry ??= telemetryReads(this.from, this.caller))
  }

  get events() {
    return (this.made.events ??= eventReads(this.from, this.caller))
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
