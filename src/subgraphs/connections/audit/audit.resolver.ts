import { Args, ArgsType, Ctx, Field, ID, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import type { Instant } from '../../../domain/time.ts'
import { AuditEntry } from '../../tables/audit-log.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import { DateTime } from '../../schema/scalars.ts'
import type { ConnectionsContext } from '../repository.ts'
import type { AuditFilter } from './audit-repository.ts'

export const AuditEntryPage = pageType('AuditEntry', () => AuditEntry)

@ArgsType()
export class AuditArgs extends PageArgs implements AuditFilter {
  @Field(() => String, { nullable: true, description: 'Only this, such as key.created.' })
  action?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'Only what was done by this key, session or link run, or by the operator of this name.',
  })
  actorId?: string | null

  @Field(() => ID, { nullable: true, description: 'Only what was done to this.' })
  targetId?: string | null

  @Field(() => DateTime, { nullable: true, description: 'Only what was done at or after this moment.' })
  since?: Instant | null

  @Field(() => DateTime, { nullable: true, description: 'Only what was done before this moment.' })
  until?: Instant | null
}

@Resolver()
export class AuditResolver {
  @Query(() => AuditEntryPage, {
    description:
      'Who did what in the application, newest first. FORBIDDEN to a key without the scope admin. Takes the secret key alone.',
  })
  auditLog(
    @Args(() => AuditArgs) args: AuditArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<AuditEntry>> {
    return connections.auditLog(args)
  }
}
