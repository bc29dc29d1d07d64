import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { ConnectionChoice } from '../connection-inputs.ts'
import { Connection } from '../connection.ts'
import type { ConnectionsContext } from '../repository.ts'
import type { ConnectionCommandsContext } from '../commands.ts'
import type { ProviderWebhookInput } from './set-provider-webhook.ts'

@InputType({
  description: 'Which connection is to have a webhook of its provider, and what that signs with.',
})
export class SetProviderWebhookInput extends ConnectionChoice implements ProviderWebhookInput {
  @Field(() => String, {
    nullable: true,
    description:
      'What the provider signs its messages with. It is never shown again; absent, the one that was given before stays.',
  })
  secret?: string | null
}

@InputType({ description: 'Which connection is to have no webhook of its provider any more.' })
export class RemoveProviderWebhookInput extends ConnectionChoice {}

@ObjectType({ simpleResolvers: true, description: 'What `setProviderWebhook` gives.' })
export class SetProviderWebhookPayload {
  @Field(() => String, {
    description:
      'The address to name at the provider. It is nobody else’s business; it stays until it is removed.',
  })
  url: string

  @Field(() => Boolean, {
    description:
      'Whether its messages are taken. Of a provider that signs them they are not before the secret is given.',
  })
  isReady: boolean
}

@ObjectType({ simpleResolvers: true, description: 'What `removeProviderWebhook` gives.' })
export class RemoveProviderWebhookPayload {
  @Field(() => Connection, { description: 'The connection.' })
  connection: Connection
}

@Resolver()
export class ProviderWebhookResolver {
  @Mutation(() => SetProviderWebhookPayload, {
    description:
      'Gives a connection an address for webhooks of its provider, the same each time. What arrives there is never believed: it has the connection read sooner.',
  })
  async setProviderWebhook(
    @Arg('input', () => SetProviderWebhookInput, { description: 'Of which connection, and the secret.' })
    input: SetProviderWebhookInput,
    @Ctx() { writes, connections }: ConnectionCommandsContext & ConnectionsContext,
  ): Promise<SetProviderWebhookPayload> {
    const { token, isReady } = await writes.setProviderWebhook(input)
    return { url: connections.providerWebhookUrlOf(token), isReady }
  }

  @Mutation(() => RemoveProviderWebhookPayload, {
    description: "Ends the address for webhooks of a connection's provider: it leads nowhere any more.",
  })
  async removeProviderWebhook(
    @Arg('input', () => RemoveProviderWebhookInput, { description: 'Of which connection.' })
    input: RemoveProviderWebhookInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RemoveProviderWebhookPayload> {
    return { connection: await writes.removeProviderWebhook(input) }
  }
}
