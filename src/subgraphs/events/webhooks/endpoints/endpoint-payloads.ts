import { Field, ID, ObjectType } from 'type-graphql'
import { WebhookEndpoint } from '../webhook-endpoint.ts'

@ObjectType({ simpleResolvers: true, description: 'What `createWebhookEndpoint` gives.' })
export class CreateWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The new endpoint.' })
  endpoint: WebhookEndpoint

  @Field(() => String, { description: 'What its messages are signed with. It is shown this once.' })
  secret: string
}

@ObjectType({ simpleResolvers: true, description: 'What `updateWebhookEndpoint` gives.' })
export class UpdateWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The endpoint as it is now.' })
  endpoint: WebhookEndpoint
}

@ObjectType({ simpleResolvers: true, description: 'What `enableWebhookEndpoint` gives.' })
export class EnableWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The endpoint as it is now.' })
  endpoint: WebhookEndpoint
}

@ObjectType({ simpleResolvers: true, description: 'What `disableWebhookEndpoint` gives.' })
export class DisableWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The endpoint as it is now.' })
  endpoint: WebhookEndpoint
}

@ObjectType({ simpleResolvers: true, description: 'What `deleteWebhookEndpoint` gives.' })
export class DeleteWebhookEndpointPayload {
  @Field(() => ID, { description: 'Which endpoint there was.' })
  endpointId: string
}

@ObjectType({ simpleResolvers: true, description: 'What `rotateWebhookSecret` gives.' })
export class RotateWebhookSecretPayload {
  @Field(() => WebhookEndpoint, { description: 'The endpoint, with when each of its secrets ends.' })
  endpoint: WebhookEndpoint

  @Field(() => String, { description: 'The new secret. It is shown this once.' })
  secret: string
}
