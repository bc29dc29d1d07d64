import { defineSubgraph } from '../define.ts'
import {
  ConnectionMention,
  DeviceMention,
  DriverMention,
  GroupMention,
  HosDailyLogMention,
  HosLogMention,
  IssueMention,
  J1939FaultCodeEventMention,
  ObdiiFaultCodeEventMention,
  SafetyEventMention,
  SyncMention,
  TrailerMention,
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
    TrailerMention,
    HosLogMention,
    HosDailyLogMention,
    J1939FaultCodeEventMention,
    ObdiiFaultCodeEventMention,
    IssueMention,
  ],
})
