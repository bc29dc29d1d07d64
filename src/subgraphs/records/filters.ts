import { ArgsType, Field, ID } from 'type-graphql'
import { PublicError } from '../../errors.ts'
import { atLeast, before, oneOf, type Where } from '../../storage/where.ts'
import { ModifiedArgs, modifiedWithin } from '../filters.ts'
import { DateTime } from '../scalars.ts'

const MOST_IDS = 50

/** Reads by ingestion time or by record time (interface 4.16). */
@ArgsType()
export class RecordArgs extends ModifiedArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only what started at or after this moment.' })
  startedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only what started before this moment.' })
  startedBefore?: number | null

  @Field(() => [ID], { nullable: true, description: 'Only those of these vehicles, 50 at most.' })
  vehicleIds?: string[] | null

  @Field(() => [ID], { nullable: true, description: 'Only those of these drivers, 50 at most.' })
  driverIds?: string[] | null
}

@ArgsType()
export class TripArgs extends RecordArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only trips that ended at or after this moment.' })
  endedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only trips that ended before this moment.' })
  endedBefore?: number | null
}

export const conditionsOf = (args: TripArgs | RecordArgs): (Where | null)[] => [
  ...modifiedWithin(args),
  atLeast('startedAt', args.startedAfter),
  before('startedAt', args.startedBefore),
  ...('endedAfter' in args ? [atLeast('endedAt', args.endedAfter)] : []),
  ...('endedBefore' in args ? [before('endedAt', args.endedBefore)] : []),
  fewOf('vehicleId', args.vehicleIds, 'vehicleIds'),
  fewOf('driverId', args.driverIds, 'driverIds'),
]

function fewOf(column: string, ids: readonly string[] | null | undefined, name: string): Where | null {
  const distinct = ids ? [...new Set(ids)] : null
  if (distinct && distinct.length > MOST_IDS) {
    const message = `\`${name}\` takes ${MOST_IDS} ids at most.`
    throw new PublicError('bad_request', message, { detail: [{ message, path: name }] })
  }
  return oneOf(column, distinct)
}
