import type { GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { idArgument } from '../../schema/id-arguments.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import { DateTime } from '../../schema/scalars.ts'
import { selectsOnlyId } from '../../schema/selection.ts'
import { entityRef, type EntityRef } from '../../schema/entity-references.ts'
import { Connection } from '../connection.ts'
import { IssueCode } from './issue-code.ts'
import { Issue, IssueStatus } from './issue.ts'
import type { ConnectionsContext, IssueFilter } from '../repository.ts'
import type { ConnectionCommandsContext } from '../commands.ts'

export const IssuePage = pageType('Issue', () => Issue)

@ArgsType()
export class ConnectionIssueArgs extends PageArgs implements IssueFilter {
  @Field(() => DateTime, { nullable: true, description: 'Only issues last reported at or after this time.' })
  lastReportedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only issues last reported before this time.' })
  lastReportedBefore?: number | null

  @Field(() => IssueCode, { nullable: true, description: 'Only issues with this code.' })
  errorCode?: IssueCode | null

  @Field(() => IssueStatus, { nullable: true, description: 'Only issues with this status.' })
  status?: IssueStatus | null
}

@ArgsType()
export class IssueArgs extends ConnectionIssueArgs {
  @Field(() => ID, { nullable: true, description: 'Only issues of this connection.' })
  connectionId?: string | null
}

@InputType({ description: 'An issue to mark as resolved.' })
export class ResolveIssueInput {
  @Field(() => ID, { description: 'The id of the issue.' })
  issueId: string
}

@ObjectType({ simpleResolvers: true, description: 'The result of `resolveIssue`.' })
export class ResolveIssuePayload {
  @Field(() => Issue, { description: 'The issue after the change.' })
  issue: Issue
}

@Resolver(() => Issue)
export class IssueResolver {
  @Query(() => Issue, { nullable: true, description: 'The issue with this id. Null if there is none.' })
  issue(
    @Arg('id', () => ID, { description: "The issue's id." }) id: string,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Issue | null> {
    return connections.issue.load(idArgument('issue', id))
  }

  @Query(() => IssuePage, { nullable: true, description: 'The issues, ordered by id.' })
  issues(
    @Args(() => IssueArgs) args: IssueArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<Issue>> {
    return connections.issues(args)
  }

  @Mutation(() => ResolveIssuePayload, {
    description: 'Marks an issue as resolved. It is reopened if a sync or a poll reports it again.',
  })
  async resolveIssue(
    @Arg('input', () => ResolveIssueInput, { description: 'The issue to resolve.' })
    input: ResolveIssueInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<ResolveIssuePayload> {
    return { issue: await writes.resolveIssue(input) }
  }

  @FieldResolver(() => Connection, { nullable: true, description: 'The connection of the issue.' })
  connection(
    @Root() { connectionId }: Issue,
    @Ctx() { connections }: ConnectionsContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return selectsOnlyId(info) ? entityRef(connectionId) : connections.connection.load(connectionId)
  }
}

export const resolveIssueRef = (
  { id }: EntityRef,
  { connections }: ConnectionsContext,
): Promise<Issue | null> => connections.issue.load(id)
