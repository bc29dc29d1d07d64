import type { GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  Info,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql'
import { entityRef } from '../../schema/entity-references.ts'
import { selectsOnlyId } from '../../schema/selection.ts'
import type { ConnectionCommandsContext } from '../commands.ts'
import { ConnectionChoice } from '../connection-inputs.ts'
import { Connection } from '../connection.ts'
import { Issue } from '../issues/issue.ts'
import type { ConnectionsContext } from '../repository.ts'
import type { DecidedRemovals, RemovalSelection } from './decide-removals.ts'
import { HeldRemoval } from './held-removal.ts'

@InputType({ description: 'Held removals of a connection.' })
export class RemovalChoice extends ConnectionChoice implements RemovalSelection {
  @Field(() => String, {
    nullable: true,
    description: 'The type of the records, such as Vehicle. Default: all held removals of the connection.',
  })
  model?: string | null
}

@InputType({ description: 'The held removals to confirm.' })
export class ConfirmRemovalsInput extends RemovalChoice {}

@InputType({ description: 'The held removals to deny.' })
export class DenyRemovalsInput extends RemovalChoice {}

@InputType({ description: 'The held removals whose decisions to lift.' })
export class LiftRemovalDecisionsInput extends RemovalChoice {}

const CONNECTION = 'The connection of the removals.'

@ObjectType({ simpleResolvers: true, description: 'The result of `confirmRemovals`.' })
export class ConfirmRemovalsPayload implements DecidedRemovals {
  @Field(() => Connection, { description: CONNECTION })
  connection: Connection

  @Field(() => [HeldRemoval], { description: 'The confirmed removals.' })
  heldRemovals: HeldRemoval[]
}

@ObjectType({ simpleResolvers: true, description: 'The result of `denyRemovals`.' })
export class DenyRemovalsPayload implements DecidedRemovals {
  @Field(() => Connection, { description: CONNECTION })
  connection: Connection

  @Field(() => [HeldRemoval], { description: 'The denied removals.' })
  heldRemovals: HeldRemoval[]
}

@ObjectType({ simpleResolvers: true, description: 'The result of `liftRemovalDecisions`.' })
export class LiftRemovalDecisionsPayload implements DecidedRemovals {
  @Field(() => Connection, { description: CONNECTION })
  connection: Connection

  @Field(() => [HeldRemoval], { description: 'The removals without a decision.' })
  heldRemovals: HeldRemoval[]
}

@Resolver(() => HeldRemoval)
export class HeldRemovalResolver {
  @FieldResolver(() => Issue, { nullable: true, description: 'The issue that reports the removal.' })
  issue(
    @Root() { issueId }: HeldRemoval,
    @Ctx() { connections }: ConnectionsContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return selectsOnlyId(info) ? entityRef(issueId) : connections.issue.load(issueId)
  }

  @Mutation(() => ConfirmRemovalsPayload, {
    description:
      'Lets the next sync of a connection remove the records that are still missing. NOT_FOUND if no such removal is held.',
  })
  confirmRemovals(
    @Arg('input', () => ConfirmRemovalsInput, { description: 'The removals.' }) input: ConfirmRemovalsInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<ConfirmRemovalsPayload> {
    return writes.confirmRemovals(input)
  }

  @Mutation(() => DenyRemovalsPayload, {
    description:
      'Keeps the missing records of a connection until they are back, or the decision is lifted or replaced. NOT_FOUND if no such removal is held.',
  })
  denyRemovals(
    @Arg('input', () => DenyRemovalsInput, { description: 'The removals.' }) input: DenyRemovalsInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<DenyRemovalsPayload> {
    return writes.denyRemovals(input)
  }

  @Mutation(() => LiftRemovalDecisionsPayload, {
    description:
      'Lifts earlier decisions about held removals of a connection: the first sync after `dueAt` decides again. NOT_FOUND if no such removal is held.',
  })
  liftRemovalDecisions(
    @Arg('input', () => LiftRemovalDecisionsInput, { description: 'The removals.' })
    input: LiftRemovalDecisionsInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<LiftRemovalDecisionsPayload> {
    return writes.liftRemovalDecisions(input)
  }
}
