import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../schema/connection-ids.ts'
import { idArgument } from '../schema/id-arguments.ts'
import { pageType } from '../schema/page-types.ts'
import type { EntityRef } from '../schema/entity-references.ts'
import { FaultCodeEvent } from './fault-code-event.ts'
import { FaultCodeArgs } from './list-args.ts'
import type { RecordsContext } from './repository.ts'

// `pageType` takes the class of an object type, and an interface type has an abstract class.
export const FaultCodeEventPage = pageType<FaultCodeEvent>('FaultCodeEvent', () => FaultCodeEvent as never)

@Resolver()
export class FaultCodeEventResolver {
  @Query(() => FaultCodeEventPage, {
    nullable: true,
    description:
      'The diagnostic trouble codes, ordered by `observedAt`, or by `metadata.modifiedAt` if `modifiedAfter` or `modifiedBefore` is set.',
  })
  faultCodeEvents(
    @Args(() => FaultCodeArgs) args: FaultCodeArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<FaultCodeEvent>> {
    return records.faultCodeEvents.page(args, connectionIds)
  }

  @Query(() => FaultCodeEvent, {
    nullable: true,
    description: 'The diagnostic trouble code with this id. Null if there is none.',
  })
  faultCodeEvent(
    @Arg('id', () => ID, { description: 'The id of the trouble code.' }) id: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<FaultCodeEvent | null> {
    return records.faultCodeEvents.byId.load(idArgument('faultCodeEvent', id))
  }
}

export const resolveFaultCodeEvent = (
  { id }: EntityRef,
  { records }: RecordsContext,
): Promise<FaultCodeEvent | null> => records.faultCodeEvents.byId.load(id)
