import { Field, ID, ObjectType } from 'type-graphql'
import { WebhookEndpoint } from '../webhook-endpoint.ts'

@ObjectType({ simpleResolvers: true, description: 'The result of `createWebhookEndpoint`.' })
export class CreateWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The new endpoint.' })
  endpoint: WebhookEndpoint

  @Field(() => String, { description: 'The signing secret. It is shown only here.' })
  secret: string
}

@ObjectType({ simpleResolvers: true, description: 'The result of `updateWebhookEndpoint`.' })
export class UpdateWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The endpoint after the change.' })
  endpoint: WebhookEndpoint
}

@ObjectType({ simpleResolvers: true, description: 'The result of `enableWebhookEndpoint`.' })
export class EnableWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The endpoint after the change.' })
  endpoint: WebhookEndpoint
}

@ObjectType({ simpleResolvers: true, description: 'The result of `disableWebhookEndpoint`.' })
export class DisableWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The endpoint after the change.' })
  endpoint: WebhookEndpoint
}

@ObjectType({ simpleResolvers: true, description: 'The result of `deleteWebhookEndpoint`.' })
export class DeleteWebhookEndpointPayload {
  @Field(() => ID, { description: 'The id of the deleted endpoint.' })
  endpointId: string
}

@ObjectType({ simpleResolvers: true, description: 'The result of `rotateWebhookSecret`.' })
export class RotateWebhookSecretPayload {
  @Field(() => WebhookEndpoint, { description: 'The endpoint, with the expiry of its secrets.' })
  endpoint: WebhookEndpoint

  @Field(() => String, { description: 'The new secret. It is shown only here.' })
  secret: string
}
