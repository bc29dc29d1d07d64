import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { ConnectionChoice } from '../connection-inputs.ts'
import { Connection } from '../connection.ts'
import type { ConnectionsContext } from '../repository.ts'
import type { ConnectionCommandsContext } from '../commands.ts'
import type { ProviderWebhookInput } from './set-provider-webhook.ts'

@InputType({
  description: 'The connection that gets a provider webhook, and the signing secret of the provider.',
})
export class SetProviderWebhookInput extends ConnectionChoice implements ProviderWebhookInput {
  @Field(() => String, {
    nullable: true,
    description:
      'The secret with which the provider signs its messages. It is never shown again. If absent, the previous secret stays.',
  })
  secret?: string | null
}

@InputType({ description: 'The connection whose provider webhook to remove.' })
export class RemoveProviderWebhookInput extends ConnectionChoice {}

@ObjectType({ simpleResolvers: true, description: 'The result of `setProviderWebhook`.' })
export class SetProviderWebhookPayload {
  @Field(() => String, {
    description:
      'The URL to enter at the provider. Keep it secret. It is valid until the provider webhook is removed.',
  })
  url: string

  @Field(() => Boolean, {
    description:
      'Whether messages are accepted. If the provider signs its messages, they are accepted only after the secret is set.',
  })
  isReady: boolean
}

@ObjectType({ simpleResolvers: true, description: 'The result of `removeProviderWebhook`.' })
export class RemoveProviderWebhookPayload {
  @Field(() => Connection, { description: 'The connection.' })
  connection: Connection
}

@Resolver()
export class ProviderWebhookResolver {
  @Mutation(() => SetProviderWebhookPayload, {
    description:
      'Creates a URL for the webhooks of the provider of a connection, or returns the existing one. A message only triggers an earlier read of the connection; its content is not trusted.',
  })
  async setProviderWebhook(
    @Arg('input', () => SetProviderWebhookInput, { description: 'The connection and the secret.' })
    input: SetProviderWebhookInput,
    @Ctx() { writes, connections }: ConnectionCommandsContext & ConnectionsContext,
  ): Promise<SetProviderWebhookPayload> {
    const { token, isReady } = await writes.setProviderWebhook(input)
    return { url: connections.providerWebhookUrlOf(token), isReady }
  }

  @Mutation(() => RemoveProviderWebhookPayload, {
    description: 'Removes the provider webhook of a connection. Its URL is no longer valid.',
  })
  async removeProviderWebhook(
    @Arg('input', () => RemoveProviderWebhookInput, { description: 'The connection.' })
    input: RemoveProviderWebhookInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RemoveProviderWebhookPayload> {
    return { connection: await writes.removeProviderWebhook(input) }
  }
}
