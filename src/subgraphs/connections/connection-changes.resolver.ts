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

@ObjectType({ simpleResolvers: true, description: 'What `exchangePublicToken` gives.' })
export class ExchangePublicTokenPayload {
  @Field(() => Connection, { description: 'The connection that the token was for.' })
  connection: Connection
}

@ObjectType({ simpleResolvers: true, description: 'What `createConnection` gives.' })
export class CreateConnectionPayload {
  @Field(() => Connection, { description: 'The new connection.' })
  connection: Connection
}

@ObjectType({ simpleResolvers: true, description: 'What `updateConnection` gives.' })
export class UpdateConnectionPayload {
  @Field(() => Connection, { description: 'The connection as it is now.' })
  connection: Connection
}

@ObjectType({ simpleResolvers: true, description: 'What `archiveConnection` gives.' })
export class ArchiveConnectionPayload {
  @Field(() => Connection, { description: 'The connection as it is now.' })
  connection: Connection
}

@ObjectType({ simpleResolvers: true, description: 'What `deleteConnection` gives.' })
export class DeleteConnectionPayload {
  @Field(() => Connection, { description: 'The connection as it is now.' })
  connection: Connection

  @Field(() => String, { description: 'What happens next, and how to call it off.' })
  message: string
}

const DELETION =
  'The connection will be deleted in 24 hours. Set its status before then to call the deletion off.'

@Resolver()
export class ConnectionChangesResolver {
  @Mutation(() => ExchangePublicTokenPayload, {
    description: 'Exchanges the one-time public token of a link flow for its connection.',
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
      'Links an account whose credentials the caller has, without the link pages. Takes the secret key alone.',
  })
  async createConnection(
    @Arg('input', () => CreateConnectionInput, { description: 'The account to link.' })
    input: CreateConnectionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<CreateConnectionPayload> {
    return { connection: await writes.linkConnection(input) }
  }

  @Mutation(() => UpdateConnectionPayload, { description: 'Changes a connection.' })
  async updateConnection(
    @Arg('input', () => UpdateConnectionInput, { description: 'What to change.' })
    input: UpdateConnectionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<UpdateConnectionPayload> {
    return { connection: await writes.updateConnection(input) }
  }

  @Mutation(() => ArchiveConnectionPayload, {
    description:
      'Takes a connection out of view: nothing is synced or delivered, what is stored stays readable.',
  })
  async archiveConnection(
    @Arg('input', () => ArchiveConnectionInput, { description: 'Which connection to archive.' })
    input: ArchiveConnectionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<ArchiveConnectionPayload> {
    return { connection: await writes.archiveConnection(input) }
  }

  @Mutation(() => DeleteConnectionPayload, {
    description: 'Asks for the deletion of a connection and all its data, 24 hours from now.',
  })
  async deleteConnection(
    @Arg('input', () => DeleteConnectionInput, { description: 'Which connection to delete.' })
    input: DeleteConnectionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<DeleteConnectionPayload> {
    return { connection: await writes.deleteConnection(input), message: DELETION }
  }
}
