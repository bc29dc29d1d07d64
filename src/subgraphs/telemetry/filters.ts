import { ArgsType, Field, ID } from 'type-graphql'
import { PageArgs } from '../page.ts'
import { DateTime } from '../scalars.ts'

@ArgsType()
export class LatestArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Only those of these vehicles.' })
  vehicleIds?: string[] | null

  @Field(() => [ID], { nullable: true, description: 'Only those of these drivers.' })
  driverIds?: string[] | null
}

@ArgsType()
export class TrackArgs extends PageArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only points at or after this moment.' })
  startAt?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only points at or before this moment.' })
  endAt?: number | null
}
