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
    description:
      'Creates an endpoint. It receives the events from now on. Requires a secret key without a connection token.',
  })
  createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'The new endpoint.' })
    input: CreateWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<CreateWebhookEndpointPayload> {
    return webhookCommands.createEndpoint(input)
  }

  @Mutation(() => UpdateWebhookEndpointPayload, {
    description:
      'Updates an endpoint. The change applies within two seconds; requests in flight are not affected. Requires a secret key without a connection token.',
  })
  async updateWebhookEndpoint(
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'The changes.' })
    input: UpdateWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<UpdateWebhookEndpointPayload> {
    return { endpoint: await webhookCommands.updateEndpoint(input) }
  }

  @Mutation(() => DeleteWebhookEndpointPayload, {
    description:
      'Deletes an endpoint with its secrets and its deliveries. Requires a secret key without a connection token.',
  })
  async deleteWebhookEndpoint(
    @Arg('input', () => DeleteWebhookEndpointInput, { description: 'The endpoint.' })
    input: DeleteWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<DeleteWebhookEndpointPayload> {
    return { endpointId: (await webhookCommands.deleteEndpoint(input)).id }
  }

  @Mutation(() => EnableWebhookEndpointPayload, {
    description:
      'Enables an endpoint. It first receives the events from the time while it was disabled, unless `skipMissed` is true. Requires a secret key without a connection token.',
  })
  async enableWebhookEndpoint(
    @Arg('input', () => EnableWebhookEndpointInput, { description: 'The endpoint.' })
    input: EnableWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<EnableWebhookEndpointPayload> {
    return { endpoint: await webhookCommands.enableEndpoint(input) }
  }

  @Mutation(() => DisableWebhookEndpointPayload, {
    description:
      'Disables an endpoint. Its events stay in the log until it is enabled. Requires a secret key without a connection token.',
  })
  async disableWebhookEndpoint(
    @Arg('input', () => DisableWebhookEndpointInput, { description: 'The endpoint.' })
    input: DisableWebhookEndpointInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<DisableWebhookEndpointPayload> {
    return { endpoint: await webhookCommands.disableEndpoint(input) }
  }

  @Mutation(() => RotateWebhookSecretPayload, {
    description:
      'Creates a new signing secret for an endpoint. The mutation returns after about three seconds, when all workers sign with the new secret. Until then and during the overlap, messages are also signed with the earlier secrets. An endpoint has at most five secrets. Requires a secret key without a connection token.',
  })
  rotateWebhookSecret(
    @Arg('input', () => RotateWebhookSecretInput, { description: 'The endpoint.' })
    input: RotateWebhookSecretInput,
    @Ctx() { webhookCommands }: WebhookCommandsContext,
  ): Promise<RotateWebhookSecretPayload> {
    return webhookCommands.rotateSecret(input)
  }
}
