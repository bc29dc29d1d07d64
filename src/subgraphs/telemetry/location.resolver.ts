import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root, Subscription } from 'type-graphql'
import type { Page } from '../../storage/page.ts'
import { pageType } from '../page.ts'
import { LatestArgs, TrackArgs } from './filters.ts'
import { LatestVehicleLocation, VehicleLocation } from './location.ts'
import { VehicleOfTelemetry } from './owner.ts'
import type { TelemetryContext } from './reads.ts'

export const LatestVehicleLocationPage = pageType('LatestVehicleLocation', () => LatestVehicleLocation)
export const VehicleLocationPage = pageType('VehicleLocation', () => VehicleLocation)

@Resolver(() => VehicleOfTelemetry)
export class VehicleOfTelemetryResolver {
  @FieldResolver(() => LatestVehicleLocation, {
    nullable: true,
    description: 'Where it was last; null before it first reports.',
  })
  latestLocation(
    @Root() { id }: VehicleOfTelemetry,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<LatestVehicleLocation | null> {
    return telemetry.latestOfVehicle.load(id)
  }

  @FieldResolver(() => VehicleLocationPage, {
    description: 'Its track by time: 500 points unless told, 10,000 at most.',
  })
  locations(
    @Root() { id }: VehicleOfTelemetry,
    @Args(() => TrackArgs) args: TrackArgs,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<Page<VehicleLocation>> {
    return telemetry.trackOfVehicle(id, args)
  }
}

@Resolver(() => LatestVehicleLocation)
export class LatestVehicleLocationResolver {
  @Query(() => LatestVehicleLocationPage, {
    description: 'The latest location of every vehicle that has one.',
  })
  vehicleLocations(
    @Args(() => LatestArgs) args: LatestArgs,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<Page<LatestVehicleLocation>> {
    return telemetry.latest(args)
  }

  @Subscription(() => LatestVehicleLocation, {
    name: 'vehicleLocations',
    description:
      'The latest locations as they change. A place that is overtaken before it was delivered is left out.',
    subscribe: ({ context, args }) =>
      (context as TelemetryContext).telemetry.changes(args['vehicleIds'] ?? null),
  })
  vehicleLocationChanged(
    @Root() location: LatestVehicleLocation,
    @Arg('vehicleIds', () => [ID], { nullable: true, description: 'Only those of these vehicles.' })
    _ids?: string[],
  ): LatestVehicleLocation {
    return location
  }
}
