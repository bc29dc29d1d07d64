import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql'
import { WebhookEndpoint } from '../webhook-endpoint.ts'
import type { WebhookWritesContext } from '../writes.ts'
import { CreateWebhookEndpointInput } from './endpoint-inputs.ts'

@ObjectType({ simpleResolvers: true, description: 'What `createWebhookEndpoint` gives.' })
export class CreateWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The new endpoint.' })
  endpoint: WebhookEndpoint

  @Field(() => String, { description: 'What its messages are signed with. It is shown this once.' })
  secret: string
}

@Resolver()
export class EndpointChangesResolver {
  @Mutation(() => CreateWebhookEndpointPayload, {
    description: 'Makes an endpoint, to which the events from now on are sent. Takes the secret key alone.',
  })
  createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'Where to send events, and which.' })
    input: CreateWebhookEndpointInput,
    @Ctx() { webhookWrites }: WebhookWritesContext,
  ): Promise<CreateWebhookEndpointPayload> {
    return webhookWrites.createEndpoint(input)
  }
}
