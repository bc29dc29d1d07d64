import { defineSubgraph } from '../define.ts'
import {
  DeviceMention,
  DriverMention,
  GroupMention,
  SafetyEventMention,
  TripMention,
  VehicleMention,
} from '../stubs.ts'
import { ConnectionResolver, resolveConnection } from './connection.resolver.ts'
import { NodeResolver } from './node.resolver.ts'
import { ProviderResolver } from './provider.resolver.ts'
import { resolveSync, SyncResolver } from './sync.resolver.ts'

/** Connections, their syncs, the providers, and `node` over every kind of record. */
export const connectionsSubgraph = defineSubgraph({
  name: 'connections',
  resolvers: [ConnectionResolver, SyncResolver, ProviderResolver, NodeResolver],
  owned: { Connection: resolveConnection, Sync: resolveSync },
  orphans: [VehicleMention, DriverMention, GroupMention, DeviceMention, TripMention, SafetyEventMention],
})
