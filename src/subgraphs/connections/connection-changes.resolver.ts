import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql'
import {
  ArchiveConnectionInput,
  CancelConnectionDeletionInput,
  CreateConnectionInput,
  DeleteConnectionInput,
  DisconnectConnectionInput,
  ExchangePublicTokenInput,
  ReconnectConnectionInput,
  UpdateConnectionInput,
} from './connection-inputs.ts'
import { Connection } from './connection.ts'
import type { ConnectionCommandsContext } from './commands.ts'

@ObjectType({ simpleResolvers: true, description: 'The result of `exchangePublicToken`.' })
export class ExchangePublicTokenPayload {
  @Field(() => Connection, { description: 'The connection of the token.' })
  connection: Connection
}

@ObjectType({ simpleResolvers: true, description: 'The result of `createConnection`.' })
export class CreateConnectionPayload {
  @Field(() => Connection, {
    description:
      'The connection of the account: its existing one if the application merges connections, else a new one.',
  })
  connection: Connection
}

@ObjectType({ simpleResolvers: true, description: 'The result of `updateConnection`.' })
export class UpdateConnectionPayload {
  @Field(() => Connection, { description: 'The connection after the change.' })
  connection: Connection
}

@ObjectType({ simpleResolvers: true, description: 'The result of `archiveConnection`.' })
export class ArchiveConnectionPayload {
  @Field(() => Connection, { description: 'The connection after the change.' })
  connection: Connection
}

@ObjectType({ simpleResolvers: true, description: 'The result of `reconnectConnection`.' })
export class ReconnectConnectionPayload {
  @Field(() => Connection, { description: 'The connection after the change.' })
  connection: Connection
}

@ObjectType({ simpleResolvers: true, description: 'The result of `disconnectConnection`.' })
export class DisconnectConnectionPayload {
  @Field(() => Connection, { description: 'The connection after the change.' })
  connection: Connection
}

@ObjectType({ simpleResolvers: true, description: 'The result of `cancelConnectionDeletion`.' })
export class CancelConnectionDeletionPayload {
  @Field(() => Connection, { description: 'The connection after the change.' })
  connection: Connection
}

@ObjectType({ simpleResolvers: true, description: 'The result of `deleteConnection`.' })
export class DeleteConnectionPayload {
  @Field(() => Connection, { description: 'The connection after the change.' })
  connection: Connection

  @Field(() => String, { description: 'A description of the next step, and of how to cancel the deletion.' })
  message: string
}

const DELETION_MESSAGE = 'The connection will be deleted in 24 hours. You can cancel the deletion until then.'

@Resolver()
export class ConnectionChangesResolver {
  @Mutation(() => ExchangePublicTokenPayload, {
    description: 'Exchanges the one-time public token of a link run for its connection.',
  })
  async exchangePublicToken(
    @Arg('input', () => ExchangePublicTokenInput, { description: 'The public token.' })
    input: ExchangePublicTokenInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<ExchangePublicTokenPayload> {
    return { connection: await writes.exchangePublicToken(input) }
  }

  @Mutation(() => CreateConnectionPayload, {
    description:
      'Links an account with given credentials, without the link pages. Requires a secret key without a connection token.',
  })
  async createConnection(
    @Arg('input', () => CreateConnectionInput, { description: 'The account to link.' })
    input: CreateConnectionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<CreateConnectionPayload> {
    return { connection: await writes.linkConnection(input) }
  }

  @Mutation(() => UpdateConnectionPayload, { description: 'Updates a connection.' })
  async updateConnection(
    @Arg('input', () => UpdateConnectionInput, { description: 'The changes.' })
    input: UpdateConnectionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<UpdateConnectionPayload> {
    return { connection: await writes.updateConnection(input) }
  }

  @Mutation(() => ArchiveConnectionPayload, {
    description:
      'Archives a connection. It is no longer synced and its events are not delivered. Stored data stays readable.',
  })
  async archiveConnection(
    @Arg('input', () => ArchiveConnectionInput, { description: 'The connection to archive.' })
    input: ArchiveConnectionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<ArchiveConnectionPayload> {
    return { connection: await writes.archiveConnection(input) }
  }

  @Mutation(() => ReconnectConnectionPayload, {
    description:
      'Connects a disconnected or archived connection with its stored credentials, if the provider accepts them. A connected one stays as it is. UNPROCESSABLE_ENTITY if its deletion was requested.',
  })
  async reconnectConnection(
    @Arg('input', () => ReconnectConnectionInput, { description: 'The connection to connect again.' })
    input: ReconnectConnectionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<ReconnectConnectionPayload> {
    return { connection: await writes.reconnectConnection(input) }
  }

  @Mutation(() => DisconnectConnectionPayload, {
    description:
      'Disconnects a connection, also an archived one. It is no longer synced until it is connected again. A disconnected one stays as it is. UNPROCESSABLE_ENTITY if its deletion was requested.',
  })
  async disconnectConnection(
    @Arg('input', () => DisconnectConnectionInput, { description: 'The connection to disconnect.' })
    input: DisconnectConnectionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<DisconnectConnectionPayload> {
    return { connection: await writes.disconnectConnection(input) }
  }

  @Mutation(() => CancelConnectionDeletionPayload, {
    description:
      'Cancels the requested deletion of a connection. It has its earlier status again. UNPROCESSABLE_ENTITY if no deletion was requested, or if it has begun.',
  })
  async cancelConnectionDeletion(
    @Arg('input', () => CancelConnectionDeletionInput, {
      description: 'The connection whose deletion to cancel.',
    })
    input: CancelConnectionDeletionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<CancelConnectionDeletionPayload> {
    return { connection: await writes.cancelConnectionDeletion(input) }
  }

  @Mutation(() => DeleteConnectionPayload, {
    description: 'Requests the deletion of a connection and all its data, in 24 hours.',
  })
  async deleteConnection(
    @Arg('input', () => DeleteConnectionInput, { description: 'The connection to delete.' })
    input: DeleteConnectionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<DeleteConnectionPayload> {
    return { connection: await writes.deleteConnection(input), message: DELETION_MESSAGE }
  }
}
