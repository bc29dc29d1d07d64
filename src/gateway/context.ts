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
  (caller, credentials) => ({
    connections: connectionReads(from, caller),
    fleet: fleetReads(from, caller),
    records: recordReads(from, caller),
    telemetry: telemetryReads(from, caller),
    events: eventReads(from, caller),
    forwarded: headersOf(credentials),
  })

function headersOf({ authorization, connectionToken }: Credentials): Record<string, string> {
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(connectionToken === undefined ? {} : { 'connection-token': connectionToken }),
  }
}
