import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import type { ConnectionsContext } from '../repository.ts'
import { ApiKey, Application, isMerging, isSandboxAllowed } from './application.ts'

export const ApiKeyPage = pageType('ApiKey', () => ApiKey)

@Resolver(() => Application)
export class ApplicationResolver {
  @Query(() => Application, {
    nullable: true,
    description:
      'The application of the key. Requires a secret key with the scope admin, without a connection token.',
  })
  application(@Ctx() { connections }: ConnectionsContext): Promise<Application> {
    return connections.application()
  }

  @Query(() => ApiKeyPage, {
    nullable: true,
    description:
      'The keys of the application, oldest first, including revoked and expired keys. Requires a secret key with the scope admin, without a connection token.',
  })
  keys(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<ApiKey>> {
    return connections.keys(args)
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether an account that is linked again keeps its connection, unless it is linked with another externalId.',
  })
  merging(@Root() application: Application): boolean {
    return isMerging(application)
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether fleets can be linked at providers with the status SANDBOX, which have simulated data only.',
  })
  allowsSandbox(@Root() application: Application): boolean {
    return isSandboxAllowed(application)
  }
}
