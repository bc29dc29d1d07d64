import { connectionsSubgraph } from '../subgraphs/connections/subgraph.ts'
import type { Subgraph } from '../subgraphs/schema/build-subgraph.ts'
import { eventsSubgraph } from '../subgraphs/events/subgraph.ts'
import { fleetSubgraph } from '../subgraphs/fleet/subgraph.ts'
import { purchasesSubgraph } from '../subgraphs/purchases/subgraph.ts'
import { recordsSubgraph } from '../subgraphs/records/subgraph.ts'
import { telemetrySubgraph } from '../subgraphs/telemetry/subgraph.ts'

/** All subgraphs of this service. Custom subgraphs are configured, not listed here. */
export const subgraphs: readonly Subgraph[] = [
  connectionsSubgraph,
  fleetSubgraph,
  recordsSubgraph,
  telemetrySubgraph,
  eventsSubgraph,
  purchasesSubgraph,
]
