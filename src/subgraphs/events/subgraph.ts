import { buildSubgraph } from '../schema/build-subgraph.ts'
import { entityStubs } from '../schema/entity-references.ts'
import { EventResolver } from './event.resolver.ts'
import { AttemptResolver } from './webhooks/deliveries/attempt.resolver.ts'
import { DeliveryChangesResolver } from './webhooks/deliveries/delivery-changes.resolver.ts'
import { DeliveryResolver } from './webhooks/deliveries/delivery.resolver.ts'
import { EndpointChangesResolver } from './webhooks/endpoints/endpoint-changes.resolver.ts'
import { EndpointResolver } from './webhooks/endpoints/endpoint.resolver.ts'

/** Subgraph of the event log and of webhooks. */
export const eventsSubgraph = buildSubgraph({
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
  orphanedTypes: entityStubs(),
})
