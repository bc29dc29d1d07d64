import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql'
import { DateTime } from '../../../schema/scalars.ts'
import { WebhookDelivery } from '../webhook-delivery.ts'
import { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookCommandsContext } from '../commands.ts'

@InputType({ description: 'A test event to send.' })
export class SendTestEventInput {
  @Field(() => ID, { description: 'The id of the endpoint.' })
  endpointId: string

  @Field(() => String, {
    description: 'Any event type, whether or not the endpoint subscribes to it.',
  })
  type: string
}

@InputType({ description: 'A delivery to replay.' })
export class ReplayDeliveryInput {
  @Field(() => ID, { description: 'The id of the delivery.' })
  deliveryId: string

  @Field(() => ID, { nullable: true, description: 'If set, a delivery to another endpoint is not found.' })
  endpointId?: string | null
}

@InputType({ description: 'An event to send to an endpoint.' })
export class ReplayEventInput {
  @Field(() => ID, { description: 'The id of the endpoint.' })
  endpointId: string

  @Field(() => ID, { description: 'The id of an event in the log.' })
  eventId: string
}

@InputType({ description: 'A recovery of events that an endpoint has not received.' })
export class RecoverWebhookEndpointInput {
  @Field(() => ID, { description: 'The id of the endpoint.' })
  endpointId: string

  @Field(() => DateTime, {
    description: 'Events at or after this time are sent. It must not be in the future.',
  })
  since: number
}

@ObjectType({ simpleResolvers: true, description: 'The result of `sendTestEvent`.' })
export class SendTestEventPayload {
  @Field(() => WebhookDelivery, { description: 'The delivery of the test event.' })
  delivery: WebhookDelivery
}

@ObjectType({ simpleResolvers: true, description: 'The result of `replayDelivery`.' })
export class ReplayDeliveryPayload {
  @Field(() => WebhookDelivery, { description: 'The same delivery, with the status PENDING.' })
  delivery: WebhookDelivery
}

@ObjectType({ simpleResolvers: true, description: 'The result of `replayEvent`.' })
export class ReplayEventPayload {
  @Field(() => WebhookDelivery, { description: 'The delivery of the event to this endpoint.' })
  delivery: WebhookDelivery
}

@ObjectType({ simpleResolvers: true, description: 'The result of `recoverWebhookEndpoint`.' })
export class RecoverWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The endpoint.' })
  endpoint: WebhookEndpoint

  @Field(() => Int, { description: 'Number of events that will be sent.' })
  events: number
}

@Resolver()
export class DeliveryChangesResolver {
  @Mutation(() => SendTestEventPayload, {
    description:
      'Sends a test event with an example body to an endpoint. It is signed and retried like any other. Requires a secret key without a connection token.',
  })
  async sendTestEvent(
    @Arg('input', () => SendTestEventInput, { description: 'The test event to send.' })
    input: SendTestEventInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<SendTestEventPayload> {
    return { delivery: await webhookCommands.sendTestEvent(input) }
  }

  @Mutation(() => ReplayDeliveryPayload, {
    description:
      'Sends the event of a delivery again, whatever the status of the delivery. Id and body of the message are the same. Requires a secret key without a connection token.',
  })
  async replayDelivery(
    @Arg('input', () => ReplayDeliveryInput, { description: 'The delivery to replay.' })
    input: ReplayDeliveryInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<ReplayDeliveryPayload> {
    return { delivery: await webhookCommands.replayDelivery(input) }
  }

  @Mutation(() => ReplayEventPayload, {
    description:
      'Sends an event of the log to an endpoint. The endpoint may have received it already, and need not subscribe to its type. Requires a secret key without a connection token.',
  })
  async replayEvent(
    @Arg('input', () => ReplayEventInput, { description: 'The event and the endpoint.' })
    input: ReplayEventInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<ReplayEventPayload> {
    return { delivery: await webhookCommands.replayEvent(input) }
  }

  @Mutation(() => RecoverWebhookEndpointPayload, {
    description:
      'Sends the events since a time to which an endpoint subscribes and which it has not received: failed and cancelled deliveries, and events that were never sent to it. Requires a secret key without a connection token.',
  })
  recoverWebhookEndpoint(
    @Arg('input', () => RecoverWebhookEndpointInput, { description: 'The endpoint and the start time.' })
    input: RecoverWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<RecoverWebhookEndpointPayload> {
    return webhookCommands.recoverEndpoint(input)
  }
}
