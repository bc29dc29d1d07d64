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

@InputType({ description: 'What a browser is to read, and for how long.' })
export class CreateSessionInput implements SessionInput {
  @Field(() => [ID], {
    nullable: true,
    description:
      'The connections that it may read, 100 at most; that of the connection token, or every one, where it is absent.',
  })
  connectionIds?: string[] | null

  @Field(() => [SessionScope], {
    nullable: true,
    description:
      'What of them it may read; everything that the key itself reads a part of, where it is absent. FORBIDDEN with one of which the key reads nothing.',
  })
  scopes?: SessionScope[] | null

  @Field(() => Int, {
    nullable: true,
    description: 'How long it lasts, 60 to 86,400 seconds; 900, a quarter of an hour, where it is absent.',
  })
  expiresInSeconds?: number | null
}

@InputType({ description: 'A session to end.' })
export class RevokeSessionInput {
  @Field(() => ID, { description: 'Which session.' })
  sessionId: string
}

@ObjectType({ simpleResolvers: true, description: 'What `createSession` gives.' })
export class CreateSessionPayload implements NewSession {
  @Field(() => String, {
    description:
      'The session token, shown this once. A browser sends it as `Authorization: Bearer`, or in the first message of a websocket.',
  })
  token: string

  @Field(() => Session, { description: 'The session.' })
  session: Session
}

@ObjectType({ simpleResolvers: true, description: 'What `revokeSession` gives.' })
export class RevokeSessionPayload {
  @Field(() => Session, { description: 'The session, ended.' })
  session: Session
}

@Resolver()
export class SessionResolver {
  @Query(() => SessionPage, {
    description: 'The sessions that live, oldest first. Takes the secret key alone.',
  })
  sessions(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<Session>> {
    return connections.sessions(args)
  }

  @Mutation(() => CreateSessionPayload, {
    description:
      'Makes a session: a token with which a browser reads for a while, over HTTP, websockets and SSE.',
  })
  createSession(
    @Arg('input', () => CreateSessionInput, { description: 'What it may read.' }) input: CreateSessionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<CreateSessionPayload> {
    return writes.createSession(input)
  }

  @Mutation(() => RevokeSessionPayload, {
    description: 'Ends a session: what it has open is closed at once.',
  })
  async revokeSession(
    @Arg('input', () => RevokeSessionInput, { description: 'Which session to end.' })
    input: RevokeSessionInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RevokeSessionPayload> {
    return { session: await writes.revokeSession(input) }
  }
}
