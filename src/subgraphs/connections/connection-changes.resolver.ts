import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql'
import {
  ArchiveConnectionInput,
  CreateConnectionInput,
  DeleteConnectionInput,
  ExchangePublicTokenInput,
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

@ObjectType({ simpleResolvers: true, description: 'The result of `deleteConnection`.' })
export class DeleteConnectionPayload {
  @Field(() => Connection, { description: 'The connection after the change.' })
  connection: Connection

  @Field(() => String, { description: 'A description of the next step, and of how to cancel the deletion.' })
  message: string
}

const DELETION_MESSAGE =
  'The connection will be deleted in 24 hours. To cancel the deletion, set its status before then.'

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
