import {
  Arg,
  Args,
  Ctx,
  Field,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql'
import { SessionScope } from '../../../auth/session-scopes.ts'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import type { ConnectionsContext } from '../repository.ts'
import type { ConnectionCommandsContext } from '../commands.ts'
import type { NewSession, SessionInput } from './create-session.ts'
import { Session } from './session.ts'

export const SessionPage = pageType('Session', () => Session)

@InputType({ description: 'The permissions and the lifetime of a session.' })
export class CreateSessionInput implements SessionInput {
  @Field(() => [ID], {
    nullable: true,
    description:
      'The connections that the session may read, at most 100. Default: the connection of the connection token, else all connections.',
  })
  connectionIds?: string[] | null

  @Field(() => [SessionScope], {
    nullable: true,
    description:
      'The data that the session may read. Default: all scopes of which the key can read a part. FORBIDDEN for a scope of which the key can read nothing.',
  })
  scopes?: SessionScope[] | null

  @Field(() => Int, {
    nullable: true,
    description: 'The lifetime in seconds, 60 to 86,400. Default: 900 (15 minutes).',
  })
  expiresInSeconds?: number | null
}

@InputType({ description: 'The session to revoke.' })
export class RevokeSessionInput {
  @Field(() => ID, { description: 'The id of the session.' })
  sessionId: string
}

@ObjectType({ simpleResolvers: true, description: 'The result of `createSession`.' })
export class CreateSessionPayload implements NewSession {
  @Field(() => String, {
    description:
      'The session token. It is shown only here. A browser sends it as `Authorization: Bearer`, or in the first message of a websocket.',
  })
  token: string

  @Field(() => Session, { description: 'The session.' })
  session: Session
}

@ObjectType({ simpleResolvers: true, description: 'The result of `revokeSession`.' })
export class RevokeSessionPayload {
  @Field(() => Session, { description: 'The revoked session.' })
  session: Session
}

@Resolver()
export class SessionResolver {
  @Query(() => SessionPage, {
    nullable: true,
    description: 'The active sessions, oldest first. Requires a secret key without a connection token.',
  })
  sessions(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<Session>> {
    return connections.sessions(args)
  }

  @Mutation(() => CreateSessionPayload, {
    description:
      'Creates a session. With its token a browser can read for a limited time, over HTTP, websockets and SSE.',
  })
  createSession(
    @Arg('input', () => CreateSessionInput, { description: 'The permissions of the session.' })
    input: CreateSessionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<CreateSessionPayload> {
    return writes.createSession(input)
  }

  @Mutation(() => RevokeSessionPayload, {
    description: 'Revokes a session. Its open streams are closed at once.',
  })
  async revokeSession(
    @Arg('input', () => RevokeSessionInput, { description: 'The session to revoke.' })
    input: RevokeSessionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RevokeSessionPayload> {
    return { session: await writes.revokeSession(input) }
  }
}
