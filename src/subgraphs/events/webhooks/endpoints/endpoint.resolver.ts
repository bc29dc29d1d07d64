import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../../../storage/pagination/pagination.ts'
import { PageArgs, pageType } from '../../../schema/page-types.ts'
import { DateTime } from '../../../schema/scalars.ts'
import type { DeliveryFilter, WebhooksContext } from '../repository.ts'
import { type DeliveryStatus, WebhookDelivery, WebhookDeliveryStatus } from '../webhook-delivery.ts'
import { WebhookEndpoint } from '../webhook-endpoint.ts'
import { WebhookSecret } from '../webhook-secret.ts'

export const WebhookEndpointPage = pageType('WebhookEndpoint', () => WebhookEndpoint)
export const WebhookDeliveryPage = pageType('WebhookDelivery', () => WebhookDelivery)

@ArgsType()
export class DeliveryArgs extends PageArgs implements DeliveryFilter {
  @Field(() => WebhookDeliveryStatus, { nullable: true, description: 'Only those in this state.' })
  status?: DeliveryStatus | null
}

@Resolver(() => WebhookEndpoint)
export class EndpointResolver {
  @Query(() => WebhookEndpointPage, {
    description: 'Where events are sent to, in the order of their ids. Takes the secret key alone.',
  })
  webhookEndpoints(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<Page<WebhookEndpoint>> {
    return webhooks.endpoints(args)
  }

  @Query(() => WebhookEndpoint, {
    nullable: true,
    description: 'One endpoint; null where there is none with this id. Takes the secret key alone.',
  })
  webhookEndpoint(
    @Arg('id', () => ID, { description: "The endpoint's id." }) id: string,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<WebhookEndpoint | null> {
    return webhooks.endpoint(id)
  }

  @FieldResolver(() => Int, {
    description:
      'How many events of the log it has not been offered yet, whether or not it wants them. 0 where it keeps up.',
  })
  async backlog(@Root() { id }: WebhookEndpoint, @Ctx() { webhooks }: WebhooksContext): Promise<number> {
    const [head, progress] = await Promise.all([webhooks.head(), webhooks.progress.load(id)])
    return progress ? Math.max(0, head - progress.position) : 0
  }

  @FieldResolver(() => Int, { description: 'How many deliveries are sent, or sent again, later.' })
  pendingDeliveries(@Root() { id }: WebhookEndpoint, @Ctx() { webhooks }: WebhooksContext): Promise<number> {
    return webhooks.pending.load(id)
  }

  @FieldResolver(() => DateTime, { nullable: true, description: 'When it last took an event.' })
  async lastSuccessAt(@Root() { id }: WebhookEndpoint, @Ctx() { webhooks }: WebhooksContext) {
    return (await webhooks.progress.load(id))?.lastSuccessAt ?? null
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description: 'Since when it has taken nothing that was sent; null while it takes what is sent.',
  })
  async failingSince(@Root() { id }: WebhookEndpoint, @Ctx() { webhooks }: WebhooksContext) {
    return (await webhooks.progress.load(id))?.failingSince ?? null
  }

  @FieldResolver(() => [WebhookSecret], {
    description: 'Which secrets its messages are signed with, oldest first. None of them is shown.',
  })
  secrets(@Root() { id }: WebhookEndpoint, @Ctx() { webhooks }: WebhooksContext): Promise<WebhookSecret[]> {
    return webhooks.secrets.load(id)
  }

  @FieldResolver(() => WebhookDeliveryPage, { description: 'What was sent to it, newest first.' })
  deliveries(
    @Root() { id }: WebhookEndpoint,
    @Args(() => DeliveryArgs) args: DeliveryArgs,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<Page<WebhookDelivery>> {
    return webhooks.deliveriesOf(id, args)
  }
}
