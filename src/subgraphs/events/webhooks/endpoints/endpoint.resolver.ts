import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../../../storage/pagination/pagination.ts'
import { idArgument } from '../../../schema/id-arguments.ts'
import { PageArgs, pageType } from '../../../schema/page-types.ts'
import { DateTime } from '../../../schema/scalars.ts'
import type { DeliveryPageRequest, WebhooksContext } from '../repository.ts'
import { type DeliveryStatus, WebhookDelivery, WebhookDeliveryStatus } from '../webhook-delivery.ts'
import { WebhookEndpoint } from '../webhook-endpoint.ts'
import { WebhookHeader } from '../webhook-header.ts'
import { WebhookSecret } from '../webhook-secret.ts'

export const WebhookEndpointPage = pageType('WebhookEndpoint', () => WebhookEndpoint)
export const WebhookDeliveryPage = pageType('WebhookDelivery', () => WebhookDelivery)

@ArgsType()
export class DeliveryArgs extends PageArgs implements DeliveryPageRequest {
  @Field(() => WebhookDeliveryStatus, { nullable: true, description: 'Only deliveries with this status.' })
  status?: DeliveryStatus | null
}

@Resolver(() => WebhookEndpoint)
export class EndpointResolver {
  @Query(() => WebhookEndpointPage, {
    nullable: true,
    description:
      'The webhook endpoints of the application, in the order of their ids. Requires a secret key without a connection token.',
  })
  webhookEndpoints(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<Page<WebhookEndpoint>> {
    return webhooks.endpoints(args)
  }

  @Query(() => WebhookEndpoint, {
    nullable: true,
    description:
      'The endpoint with this id. Null if there is none. Requires a secret key without a connection token.',
  })
  webhookEndpoint(
    @Arg('id', () => ID, { description: 'The id of the endpoint.' }) id: string,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<WebhookEndpoint | null> {
    return webhooks.endpoint(idArgument('webhookEndpoint', id))
  }

  @FieldResolver(() => Int, {
    description:
      'Number of log events after the position of the endpoint, whether or not it subscribes to them. 0 if it is up to date.',
  })
  async backlog(@Root() { id }: WebhookEndpoint, @Ctx() { webhooks }: WebhooksContext): Promise<number> {
    const [head, progress] = await Promise.all([webhooks.latestPosition(), webhooks.progress.load(id)])
    return progress ? Math.max(0, head - progress.position) : 0
  }

  @FieldResolver(() => Int, { description: 'Number of deliveries with the status PENDING.' })
  pendingDeliveries(@Root() { id }: WebhookEndpoint, @Ctx() { webhooks }: WebhooksContext): Promise<number> {
    return webhooks.pendingCount.load(id)
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description: 'When the endpoint last accepted a message. Null if it never did.',
  })
  async lastSuccessAt(@Root() { id }: WebhookEndpoint, @Ctx() { webhooks }: WebhooksContext) {
    return (await webhooks.progress.load(id))?.lastSuccessAt ?? null
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'When the first attempt since the last success failed. Null while the endpoint accepts messages.',
  })
  async failingSince(@Root() { id }: WebhookEndpoint, @Ctx() { webhooks }: WebhooksContext) {
    return (await webhooks.progress.load(id))?.failingSince ?? null
  }

  @FieldResolver(() => [WebhookSecret], {
    description: 'The secrets of the endpoint, oldest first, without their values.',
  })
  secrets(@Root() { id }: WebhookEndpoint, @Ctx() { webhooks }: WebhooksContext): Promise<WebhookSecret[]> {
    return webhooks.secrets.load(id)
  }

  @FieldResolver(() => [WebhookHeader], {
    description:
      'The custom headers of the endpoint, without their values. Each request to the endpoint has them.',
  })
  headers(@Root() endpoint: WebhookEndpoint, @Ctx() { webhooks }: WebhooksContext): readonly WebhookHeader[] {
    return webhooks.maskedHeaders(endpoint)
  }

  @FieldResolver(() => WebhookDeliveryPage, {
    nullable: true,
    description: 'The deliveries to the endpoint, newest first.',
  })
  deliveries(
    @Root() { id }: WebhookEndpoint,
    @Args(() => DeliveryArgs) args: DeliveryArgs,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<Page<WebhookDelivery>> {
    return webhooks.deliveriesOf(id, args)
  }
}
