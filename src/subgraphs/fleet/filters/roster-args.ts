import { ArgsType, Field, ID } from 'type-graphql'
import type { Dialect } from '../../../storage/sql/dialect.ts'
import { oneOf, type Where } from '../../../storage/sql/where.ts'
import { EntityArgs } from '../../schema/list-args.ts'
import { memberOf } from '../../tables/group-members.ts'
import { DriverStatus } from '../driver.ts'
import { FilteredArgs } from '../list-args.ts'
import { DriverOrder, VehicleOrder } from './roster-order.ts'
import { TrailerStatus } from '../trailer.ts'
import { VehicleStatus } from '../vehicle.ts'
import { driverSearch, vehicleSearch } from './text-search.ts'

// Arguments of the root lists of vehicles, drivers and trailers. Lists within a group or connection do not have them.

/** Decorator of the argument `groupIds`. */
const GroupIdsField = (records: string): PropertyDecorator =>
  Field(() => [ID], {
    nullable: true,
    description: `Only ${records} that the provider assigns to one of these groups itself, at most 50.`,
  })

/** Decorator of the argument `statuses`. */
const StatusesField = (records: string, type: () => object): PropertyDecorator =>
  Field(() => [type()], { nullable: true, description: `Only ${records} with one of these statuses.` })

const ORDER_DESCRIPTION =
  'The order of the list. Default `ID`, or `MODIFIED` if `modifiedAfter` or `modifiedBefore` is set. `ID` with one of them is an error.'

/** Decorator of the argument `search`. */
const SearchField = (found: string): PropertyDecorator =>
  Field(() => String, {
    nullable: true,
    description: `Only ${found}, in upper or lower case. It has 2 to 100 characters, without spaces at its ends.`,
  })

@ArgsType()
export class VehicleArgs extends FilteredArgs {
  @StatusesField('vehicles', () => VehicleStatus)
  statuses?: VehicleStatus[] | null

  @GroupIdsField('vehicles')
  groupIds?: string[] | null

  @Field(() => VehicleOrder, { nullable: true, description: ORDER_DESCRIPTION })
  orderBy?: VehicleOrder | null

  @SearchField('vehicles with this text in the name, VIN, license plate number or source id')
  search?: string | null
}

@ArgsType()
export class DriverArgs extends FilteredArgs {
  @StatusesField('drivers', () => DriverStatus)
  statuses?: DriverStatus[] | null

  @GroupIdsField('drivers')
  groupIds?: string[] | null

  @Field(() => DriverOrder, { nullable: true, description: ORDER_DESCRIPTION })
  orderBy?: DriverOrder | null

  @SearchField(
    'drivers with this text in the name, phone number, e-mail address, license number or source id',
  )
  search?: string | null
}

@ArgsType()
export class TrailerArgs extends EntityArgs {
  @StatusesField('trailers', () => TrailerStatus)
  statuses?: TrailerStatus[] | null

  @GroupIdsField('trailers')
  groupIds?: string[] | null
}

/** Returns the conditions of a list by its arguments. */
export type ConditionsOf<Args> = (dialect: Dialect, args: Args) => (Where | null)[]

interface RosterFilters {
  readonly statuses?: readonly string[] | null
  readonly groupIds?: readonly string[] | null
}

export const rosterConditions: ConditionsOf<RosterFilters> = (dialect, { statuses, groupIds }) => [
  oneOf('status', statuses && [...new Set(statuses)]),
  memberOf(dialect, groupIds),
]

export const vehicleConditions: ConditionsOf<VehicleArgs> = (dialect, args) => [
  ...rosterConditions(dialect, args),
  vehicleSearch(dialect, args.search),
]

export const driverConditions: ConditionsOf<DriverArgs> = (dialect, args) => [
  ...rosterConditions(dialect, args),
  driverSearch(dialect, args.search),
]
