import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql'
import { Json } from '../../../schema/scalars.ts'
import type { WebhooksContext } from '../repository.ts'
import { WebhookAttempt } from '../webhook-attempt.ts'

@ObjectType({ simpleResolvers: true, description: 'The request of a delivery attempt.' })
export class WebhookRequest {
  @Field(() => String, { description: 'The URL of the request.' })
  url: string

  @Field(() => Json, {
    description:
      'The request headers by lower-case name, signatures included. The values of custom headers are redacted.',
  })
  headers: unknown

  @Field(() => String, {
    nullable: true,
    description: 'The request body, built from the log. Null if the log no longer has the event.',
  })
  body: string | null
}

@ObjectType({ simpleResolvers: true, description: 'The response to a delivery attempt.' })
export class WebhookResponse {
  @Field(() => Int, { description: 'The HTTP status.' })
  statusCode: number

  @Field(() => Json, { nullable: true, description: 'The response headers by lower-case name.' })
  headers: unknown

  @Field(() => String, { nullable: true, description: 'The first 16 KiB of the body. Secrets are redacted.' })
  body: string | null
}

@Resolver(() => WebhookAttempt)
export class AttemptResolver {
  @FieldResolver(() => WebhookRequest, { description: 'The request that was sent.' })
  async request(
    @Root() { url, requestHeaders, deliveryId }: WebhookAttempt,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<WebhookRequest> {
    return { url, headers: requestHeaders, body: await webhooks.body.load(deliveryId) }
  }

  @FieldResolver(() => WebhookResponse, {
    nullable: true,
    description: 'The response of the endpoint. Null if there was no complete response.',
  })
  response(@Root() { statusCode, responseHeaders, responseBody }: WebhookAttempt): WebhookResponse | null {
    return statusCode === null ? null : { statusCode, headers: responseHeaders, body: responseBody }
  }
}
