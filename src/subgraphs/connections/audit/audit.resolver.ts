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
  @Field(() => String, { nullable: true, description: 'Only entries with this action, such as key.created.' })
  action?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'Only actions of the key, session or link run with this id, or of the operator with this name.',
  })
  actorId?: string | null

  @Field(() => ID, { nullable: true, description: 'Only actions on the object with this id.' })
  targetId?: string | null

  @Field(() => DateTime, { nullable: true, description: 'Only actions at or after this time.' })
  since?: Instant | null

  @Field(() => DateTime, { nullable: true, description: 'Only actions before this time.' })
  until?: Instant | null
}

@Resolver()
export class AuditResolver {
  @Query(() => AuditEntryPage, {
    nullable: true,
    description:
      'The audit log of the application, newest first. Requires a secret key with the scope admin, without a connection token. FORBIDDEN for other keys.',
  })
  auditLog(
    @Args(() => AuditArgs) args: AuditArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<AuditEntry>> {
    return connections.auditLog(args)
  }
}
