import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql'
import { DateTime } from '../../../schema/scalars.ts'
import { WebhookDelivery } from '../webhook-delivery.ts'
import { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookCommandsContext } from '../commands.ts'

@InputType({ description: 'An example to send.' })
export class SendTestEventInput {
  @Field(() => ID, { description: 'To which endpoint.' })
  endpointId: string

  @Field(() => String, { description: 'Of which type of event; any, whether or not the endpoint wants it.' })
  type: string
}

@InputType({ description: 'A delivery to make again.' })
export class ReplayDeliveryInput {
  @Field(() => ID, { description: 'Which delivery.' })
  deliveryId: string

  @Field(() => ID, { nullable: true, description: 'Only if it is to this endpoint.' })
  endpointId?: string | null
}

@InputType({ description: 'An event to send.' })
export class ReplayEventInput {
  @Field(() => ID, { description: 'To which endpoint.' })
  endpointId: string

  @Field(() => ID, { description: 'Which event of the log.' })
  eventId: string
}

@InputType({ description: 'What to send of what has not arrived.' })
export class RecoverWebhookEndpointInput {
  @Field(() => ID, { description: 'To which endpoint.' })
  endpointId: string

  @Field(() => DateTime, { description: 'All that has happened at this moment or later.' })
  since: number
}

@ObjectType({ simpleResolvers: true, description: 'What `sendTestEvent` gives.' })
export class SendTestEventPayload {
  @Field(() => WebhookDelivery, { description: 'How far the example has come.' })
  delivery: WebhookDelivery
}

@ObjectType({ simpleResolvers: true, description: 'What `replayDelivery` gives.' })
export class ReplayDeliveryPayload {
  @Field(() => WebhookDelivery, { description: 'The same delivery, which is pending again.' })
  delivery: WebhookDelivery
}

@ObjectType({ simpleResolvers: true, description: 'What `replayEvent` gives.' })
export class ReplayEventPayload {
  @Field(() => WebhookDelivery, { description: 'The delivery of the event to this endpoint.' })
  delivery: WebhookDelivery
}

@ObjectType({ simpleResolvers: true, description: 'What `recoverWebhookEndpoint` gives.' })
export class RecoverWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The endpoint.' })
  endpoint: WebhookEndpoint

  @Field(() => Int, { description: 'How many events will be sent.' })
  events: number
}

@Resolver()
export class DeliveryChangesResolver {
  @Mutation(() => SendTestEventPayload, {
    description:
      'Sends an example of a type of event to an endpoint, signed like any other. Takes the secret key alone.',
  })
  async sendTestEvent(
    @Arg('input', () => SendTestEventInput, { description: 'The example to send.' })
    input: SendTestEventInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<SendTestEventPayload> {
    return { delivery: await webhookCommands.sendTestEvent(input) }
  }

  @Mutation(() => ReplayDeliveryPayload, {
    description:
      'Makes a delivery again, whatever came of it before: the event keeps its id. Takes the secret key alone.',
  })
  async replayDelivery(
    @Arg('input', () => ReplayDeliveryInput, { description: 'Which delivery.' })
    input: ReplayDeliveryInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<ReplayDeliveryPayload> {
    return { delivery: await webhookCommands.replayDelivery(input) }
  }

  @Mutation(() => ReplayEventPayload, {
    description:
      'Sends an event of the log to an endpoint, whether or not it has had it and wants such. Takes the secret key alone.',
  })
  async replayEvent(
    @Arg('input', () => ReplayEventInput, { description: 'Which event, and to which endpoint.' })
    input: ReplayEventInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<ReplayEventPayload> {
    return { delivery: await webhookCommands.replayEvent(input) }
  }

  @Mutation(() => RecoverWebhookEndpointPayload, {
    description:
      'Sends to an endpoint all since a moment that it wants and that has not arrived: what was given up, and what it was never offered. Takes the secret key alone.',
  })
  recoverWebhookEndpoint(
    @Arg('input', () => RecoverWebhookEndpointInput, { description: 'Since when, and to which endpoint.' })
    input: RecoverWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<RecoverWebhookEndpointPayload> {
    return webhookCommands.recoverEndpoint(input)
  }
}
