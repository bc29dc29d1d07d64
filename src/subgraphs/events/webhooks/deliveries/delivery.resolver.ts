import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import type { EventRow } from '../../../../storage/outbox.ts'
import { Event } from '../../event.ts'
import type { WebhooksContext } from '../repository.ts'
import { WebhookAttempt } from '../webhook-attempt.ts'
import { WebhookDelivery } from '../webhook-delivery.ts'
import { idArgument } from '../../../schema/id-arguments.ts'

@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  @Query(() => WebhookDelivery, {
    nullable: true,
    description:
      'The delivery with this id. Null if there is none. Requires a secret key without a connection token.',
  })
  webhookDelivery(
    @Arg('id', () => ID, { description: 'The id of the delivery.' }) id: string,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<WebhookDelivery | null> {
    return webhooks.delivery(idArgument('webhookDelivery', id))
  }

  @FieldResolver(() => Event, {
    nullable: true,
    description: 'The event in the log. Null for a test event, and if the log no longer has the event.',
  })
  async event(
    @Root() { eventId, position }: WebhookDelivery,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<EventRow | null> {
    return position === null ? null : webhooks.event(eventId)
  }

  @FieldResolver(() => [WebhookAttempt], { description: 'The attempts of the delivery, oldest first.' })
  attempts(@Root() { id }: WebhookDelivery, @Ctx() { webhooks }: WebhooksContext): Promise<WebhookAttempt[]> {
    return webhooks.attempts.load(id)
  }
}
