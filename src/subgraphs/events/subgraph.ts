import { defineSubgraph } from '../define.ts'
import {
  ConnectionMention,
  DeviceMention,
  DriverMention,
  GroupMention,
  SafetyEventMention,
  SyncMention,
  TripMention,
  VehicleMention,
} from '../stubs.ts'
import { EventResolver } from './event.resolver.ts'

/** The event log. */
export const eventsSubgraph = defineSubgraph({
  name: 'events',
  resolvers: [EventResolver],
  owned: {},
  orphans: [
    ConnectionMention,
    SyncMention,
    VehicleMention,
    DriverMention,
    GroupMention,
    DeviceMention,
    TripMention,
    SafetyEventMention,
  ],
})
