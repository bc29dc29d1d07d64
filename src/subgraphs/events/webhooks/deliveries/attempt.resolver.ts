import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql'
import { Json } from '../../../schema/scalars.ts'
import type { WebhooksContext } from '../repository.ts'
import { WebhookAttempt } from '../webhook-attempt.ts'

@ObjectType({ simpleResolvers: true, description: 'What was sent to an endpoint.' })
export class WebhookRequest {
  @Field(() => String, { description: 'Where to.' })
  url: string

  @Field(() => Json, { description: 'Its headers, with the signatures, by their names in lower case.' })
  headers: unknown

  @Field(() => String, {
    nullable: true,
    description: 'Its body. It is made of the log: null once that no longer has the event.',
  })
  body: string | null
}

@ObjectType({ simpleResolvers: true, description: 'What an endpoint answered.' })
export class WebhookResponse {
  @Field(() => Int, { description: 'The status.' })
  statusCode: number

  @Field(() => Json, { nullable: true, description: 'Its headers, by their names in lower case.' })
  headers: unknown

  @Field(() => String, { nullable: true, description: 'The beginning of its body.' })
  body: string | null
}

@Resolver(() => WebhookAttempt)
export class AttemptResolver {
  @FieldResolver(() => WebhookRequest, { description: 'What was sent.' })
  async request(
    @Root() { url, requestHeaders, deliveryId }: WebhookAttempt,
    @Ctx() { webhooks }: WebhooksContext,
  ): Promise<WebhookRequest> {
    return { url, headers: requestHeaders, body: await webhooks.body.load(deliveryId) }
  }

  @FieldResolver(() => WebhookResponse, {
    nullable: true,
    description: 'What was answered; null where there was no whole answer.',
  })
  response(@Root() { statusCode, responseHeaders, responseBody }: WebhookAttempt): WebhookResponse | null {
    return statusCode === null ? null : { statusCode, headers: responseHeaders, body: responseBody }
  }
}
