import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root, Subscription } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { PageArgs, pageType, SeriesArgs } from '../schema/page-types.ts'
import { LatestArgs, StatArgs, TrackArgs } from './list-args.ts'
import { LatestVehicleLocation, VehicleLocation } from './location.ts'
import { VehicleOfTelemetry } from './vehicle-extension.ts'
import type { TelemetryContext } from './repository.ts'
import { VehicleStatLog } from './stat-log.ts'
import { LatestTrailerLocation, TrailerOfTelemetry } from './trailer-location.ts'
import { TripOfTelemetry } from './trip-span.ts'

export const LatestVehicleLocationPage = pageType('LatestVehicleLocation', () => LatestVehicleLocation)
export const LatestTrailerLocationPage = pageType('LatestTrailerLocation', () => LatestTrailerLocation)
export const VehicleStatLogPage = pageType<VehicleStatLog>('VehicleStatLog', () => VehicleStatLog as never)
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

  @FieldResolver(() => VehicleStatLogPage, {
    description: 'Its measurements by time: 500 unless told, 10,000 at most.',
  })
  stats(
    @Root() { id }: VehicleOfTelemetry,
    @Args(() => StatArgs) args: StatArgs,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<Page<VehicleStatLog>> {
    return telemetry.statsOfVehicle(id, args)
  }
}

@Resolver(() => TrailerOfTelemetry)
export class TrailerOfTelemetryResolver {
  @FieldResolver(() => LatestTrailerLocation, {
    nullable: true,
    description: 'Where it was last; null before it first reports.',
  })
  latestLocation(
    @Root() { id }: TrailerOfTelemetry,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<LatestTrailerLocation | null> {
    return telemetry.latestOfTrailer.load(id)
  }
}

@Resolver(() => TripOfTelemetry)
export class TripOfTelemetryResolver {
  @FieldResolver(() => VehicleLocationPage, {
    description: 'The points of its track by time: 500 unless told, 10,000 at most.',
  })
  path(
    @Root() { id }: TripOfTelemetry,
    @Args(() => SeriesArgs) args: SeriesArgs,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<Page<VehicleLocation>> {
    return telemetry.pathOfTrip(id, args)
  }
}

@Resolver()
export class LatestTrailerLocationResolver {
  @Query(() => LatestTrailerLocationPage, {
    description:
      "The latest location of every trailer that has one. With a connection's token its provider is asked, unless the connection is polled; the secret key alone reads what is stored. For a connection that is not connected: UNPROCESSABLE_ENTITY or CONNECTION_DISCONNECTED.",
  })
  trailerLocations(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<Page<LatestTrailerLocation>> {
    return telemetry.latestOfTrailers(args)
  }
}

@Resolver(() => LatestVehicleLocation)
export class LatestVehicleLocationResolver {
  @Query(() => LatestVehicleLocationPage, {
    description:
      "The latest location of every vehicle that has one. With a connection's token its provider is asked, unless the connection is polled; the secret key alone reads what is stored. For a connection that is not connected: UNPROCESSABLE_ENTITY or CONNECTION_DISCONNECTED.",
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
