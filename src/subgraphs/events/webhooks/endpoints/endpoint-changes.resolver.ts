import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import type { WebhookCommandsContext } from '../commands.ts'
import {
  CreateWebhookEndpointInput,
  DeleteWebhookEndpointInput,
  DisableWebhookEndpointInput,
  EnableWebhookEndpointInput,
  RotateWebhookSecretInput,
  UpdateWebhookEndpointInput,
} from './endpoint-inputs.ts'
import {
  CreateWebhookEndpointPayload,
  DeleteWebhookEndpointPayload,
  DisableWebhookEndpointPayload,
  EnableWebhookEndpointPayload,
  RotateWebhookSecretPayload,
  UpdateWebhookEndpointPayload,
} from './endpoint-payloads.ts'

@Resolver()
export class EndpointChangesResolver {
  @Mutation(() => CreateWebhookEndpointPayload, {
    description: 'Makes an endpoint, to which the events from now on are sent. Takes the secret key alone.',
  })
  createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'Where to send events, and which.' })
    input: CreateWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<CreateWebhookEndpointPayload> {
    return webhookCommands.createEndpoint(input)
  }

  @Mutation(() => UpdateWebhookEndpointPayload, {
    description: 'Changes an endpoint. Takes the secret key alone.',
  })
  async updateWebhookEndpoint(
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'What to change.' })
    input: UpdateWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<UpdateWebhookEndpointPayload> {
    return { endpoint: await webhookCommands.updateEndpoint(input) }
  }

  @Mutation(() => DeleteWebhookEndpointPayload, {
    description: 'Deletes an endpoint with its secrets and its deliveries. Takes the secret key alone.',
  })
  async deleteWebhookEndpoint(
    @Arg('input', () => DeleteWebhookEndpointInput, { description: 'Which endpoint.' })
    input: DeleteWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<DeleteWebhookEndpointPayload> {
    return { endpointId: (await webhookCommands.deleteEndpoint(input)).id }
  }

  @Mutation(() => EnableWebhookEndpointPayload, {
    description:
      'Sends to an endpoint again: first what happened while it was disabled, unless told to leave that out. Takes the secret key alone.',
  })
  async enableWebhookEndpoint(
    @Arg('input', () => EnableWebhookEndpointInput, { description: 'Which endpoint.' })
    input: EnableWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<EnableWebhookEndpointPayload> {
    return { endpoint: await webhookCommands.enableEndpoint(input) }
  }

  @Mutation(() => DisableWebhookEndpointPayload, {
    description: 'Sends nothing more to an endpoint; what it wants waits. Takes the secret key alone.',
  })
  async disableWebhookEndpoint(
    @Arg('input', () => DisableWebhookEndpointInput, { description: 'Which endpoint.' })
    input: DisableWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<DisableWebhookEndpointPayload> {
    return { endpoint: await webhookCommands.disableEndpoint(input) }
  }

  @Mutation(() => RotateWebhookSecretPayload, {
    description:
      'Gives an endpoint a new secret. It answers after some three seconds, when every worker signs with it: from then on it verifies every message. Until then, and for the overlap after that, messages are signed with the earlier ones as well, five in all at most. Takes the secret key alone.',
  })
  rotateWebhookSecret(
    @Arg('input', () => RotateWebhookSecretInput, { description: 'Which endpoint.' })
    input: RotateWebhookSecretInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<RotateWebhookSecretPayload> {
    return webhookCommands.rotateSecret(input)
  }
}
