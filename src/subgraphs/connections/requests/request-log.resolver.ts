import { Arg, Args, ArgsType, Ctx, Field, ID, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import type { Instant } from '../../../domain/time.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import { DateTime } from '../../schema/scalars.ts'
import type { ConnectionsContext } from '../repository.ts'
import { LoggedRequest } from './logged-request.ts'
import type { RequestFilter } from './request-log-repository.ts'

export const LoggedRequestPage = pageType('LoggedRequest', () => LoggedRequest)

@ArgsType()
export class RequestArgs extends PageArgs implements RequestFilter {
  @Field(() => ID, { nullable: true, description: 'Only requests with this request id.' })
  requestId?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'Only requests that were limited to the connection with this id.',
  })
  connectionId?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Only requests with this error code, such as internal_server_error.',
  })
  errorCode?: string | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'Only requests that arrived at or after this time.',
  })
  since?: Instant | null

  @Field(() => DateTime, { nullable: true, description: 'Only requests that arrived before this time.' })
  until?: Instant | null
}

@Resolver()
export class RequestLogResolver {
  @Query(() => LoggedRequest, {
    nullable: true,
    description:
      'The newest request of the application with this request id. Null if the request log has none. Requires a secret key with the scope admin, without a connection token. FORBIDDEN for other keys.',
  })
  request(
    @Arg('requestId', () => ID, {
      description: 'The request id of the answer, from its header `X-Request-Id` or its error.',
    })
    requestId: string,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<LoggedRequest | null> {
    return connections.request(requestId)
  }

  @Query(() => LoggedRequestPage, {
    nullable: true,
    description:
      'The request log of the application, newest first. Requires a secret key with the scope admin, without a connection token. FORBIDDEN for other keys.',
  })
  requests(
    @Args(() => RequestArgs) args: RequestArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<LoggedRequest>> {
    return connections.requests(args)
  }
}
