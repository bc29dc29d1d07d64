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
export class IssueArgs extends PageArgs implements IssueFilter {
  @Field(() => DateTime, { nullable: true, description: 'Only those met at or after this moment.' })
  lastReportedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only those last met before this moment.' })
  lastReportedBefore?: number | null

  @Field(() => ID, { nullable: true, description: 'Only those of this connection.' })
  connectionId?: string | null

  @Field(() => IssueCode, { nullable: true, description: 'Only those with this code.' })
  errorCode?: IssueCode | null

  @Field(() => IssueStatus, { nullable: true, description: 'Only those in this state.' })
  status?: IssueStatus | null
}

@InputType({ description: 'An issue to mark as resolved.' })
export class ResolveIssueInput {
  @Field(() => ID, { description: 'Which issue.' })
  issueId: string
}

@ObjectType({ simpleResolvers: true, description: 'What `resolveIssue` gives.' })
export class ResolveIssuePayload {
  @Field(() => Issue, { description: 'The issue as it is now.' })
  issue: Issue
}

@Resolver(() => Issue)
export class IssueResolver {
  @Query(() => Issue, { nullable: true, description: 'One issue; null where there is none with this id.' })
  issue(
    @Arg('id', () => ID, { description: "The issue's id." }) id: string,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Issue | null> {
    return connections.issue.load(id)
  }

  @Query(() => IssuePage, { description: 'The issues, in the order of their ids.' })
  issues(
    @Args(() => IssueArgs) args: IssueArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<Issue>> {
    return connections.issues(args)
  }

  @Mutation(() => ResolveIssuePayload, {
    description: 'Marks an issue as resolved. A sync or a poll that meets it again opens it again.',
  })
  async resolveIssue(
    @Arg('input', () => ResolveIssueInput, { description: 'Which issue to resolve.' })
    input: ResolveIssueInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<ResolveIssuePayload> {
    return { issue: await writes.resolveIssue(input) }
  }

  @FieldResolver(() => Connection, { nullable: true, description: 'The connection whose data it is about.' })
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
