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
import { AttemptResolver } from './webhooks/deliveries/attempt.resolver.ts'
import { DeliveryChangesResolver } from './webhooks/deliveries/delivery-changes.resolver.ts'
import { DeliveryResolver } from './webhooks/deliveries/delivery.resolver.ts'
import { EndpointChangesResolver } from './webhooks/endpoints/endpoint-changes.resolver.ts'
import { EndpointResolver } from './webhooks/endpoints/endpoint.resolver.ts'

/** The event log, and where it is sent to. */
export const eventsSubgraph = defineSubgraph({
  name: 'events',
  resolvers: [
    EventResolver,
    EndpointResolver,
    EndpointChangesResolver,
    DeliveryResolver,
    DeliveryChangesResolver,
    AttemptResolver,
  ],
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
