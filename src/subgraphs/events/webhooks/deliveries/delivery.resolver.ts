import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import type { EventRow } from '../../../../storage/outbox.ts'
import { Event } from '../../event.ts'
import type { WebhooksContext } from '../repository.ts'
import { WebhookAttempt } from '../webhook-attempt.ts'
import { WebhookDelivery } from '../webhook-delivery.ts'

@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  @Query(() => WebhookDelivery, {
    nullable: true,
    description: 'One delivery; null where there is none with this id. Takes the secret key alone.',
  })
  webhookDelivery(
    @Arg('id', () => ID, { description: "The delivery's id." }) id: string,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<WebhookDelivery | null> {
    return webhooks.delivery(id)
  }

  @FieldResolver(() => Event, {
    nullable: true,
    description: 'The entry of the log; null for a test, and once the log no longer has it.',
  })
  async event(
    @Root() { eventId, position }: WebhookDelivery,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<EventRow | null> {
    return position === null ? null : webhooks.entry(eventId)
  }

  @FieldResolver(() => [WebhookAttempt], { description: 'Each time that it was sent, in their order.' })
  attempts(@Root() { id }: WebhookDelivery, @Ctx() { webhooks }: WebhooksContext): Promise<WebhookAttempt[]> {
    return webhooks.attempts.load(id)
  }
}
