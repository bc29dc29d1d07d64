import { Args, Ctx, FieldResolver, Query, Resolver, Root, Subscription } from 'type-graphql'
import { type Page, seriesLimits } from '../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../schema/connection-ids.ts'
import { PageArgs, pageType, SeriesArgs } from '../schema/page-types.ts'
import { LatestArgs, LocationStreamArgs, StatArgs, TrackArgs } from './list-args.ts'
import { LatestVehicleLocation, VehicleLocation } from './location.ts'
import { TelemetryVehicleExtension } from './vehicle-extension.ts'
import type { TelemetryContext } from './repository.ts'
import { NearbyVehicles, VehiclesNearArgs } from './near/nearby-vehicle.ts'
import { VehicleStatLog } from './stat-log.ts'
import { VehicleTrack, VehicleTrackArgs } from './vehicle-track.ts'
import { LatestTrailerLocation, TelemetryTrailerExtension } from './trailer-location.ts'
import { TelemetryTripExtension } from './trip-span.ts'

export const LatestVehicleLocationPage = pageType('LatestVehicleLocation', () => LatestVehicleLocation)
export const LatestTrailerLocationPage = pageType('LatestTrailerLocation', () => LatestTrailerLocation)
// `pageType` takes the class of an object type, and an interface type has an abstract class.
export const VehicleStatLogPage = pageType<VehicleStatLog>(
  'VehicleStatLog',
  () => VehicleStatLog as never,
  seriesLimits,
)
export const VehicleLocationPage = pageType('VehicleLocation', () => VehicleLocation, seriesLimits)

@Resolver(() => TelemetryVehicleExtension)
export class TelemetryVehicleExtensionResolver {
  @FieldResolver(() => LatestVehicleLocation, {
    nullable: true,
    description: 'The latest location. Null before the first report.',
  })
  latestLocation(
    @Root() { id }: TelemetryVehicleExtension,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<LatestVehicleLocation | null> {
    return telemetry.latestOfVehicle(id)
  }

  @FieldResolver(() => VehicleLocationPage, {
    nullable: true,
    description: 'The track of the vehicle, ordered by time. Default 500 points, maximum 10,000.',
  })
  locations(
    @Root() { id }: TelemetryVehicleExtension,
    @Args(() => TrackArgs) args: TrackArgs,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<Page<VehicleLocation>> {
    return telemetry.locationsOfVehicle(id, args)
  }

  @FieldResolver(() => VehicleTrack, {
    nullable: true,
    description:
      'The track of the vehicle in a compact form: a day of a truck is some ten kilobytes. It has no more than 100,000 stored positions; otherwise error BAD_USER_INPUT. `locations` has all values of the positions.',
  })
  track(
    @Root() { id }: TelemetryVehicleExtension,
    @Args(() => VehicleTrackArgs) args: VehicleTrackArgs,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<VehicleTrack> {
    return telemetry.trackOfVehicle(id, args)
  }

  @FieldResolver(() => VehicleStatLogPage, {
    nullable: true,
    description: 'The measurements of the vehicle, ordered by time. Default 500, maximum 10,000.',
  })
  stats(
    @Root() { id }: TelemetryVehicleExtension,
    @Args(() => StatArgs) args: StatArgs,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<Page<VehicleStatLog>> {
    return telemetry.statsOfVehicle(id, args)
  }
}

@Resolver(() => TelemetryTrailerExtension)
export class TelemetryTrailerExtensionResolver {
  @FieldResolver(() => LatestTrailerLocation, {
    nullable: true,
    description: 'The latest location. Null before the first report.',
  })
  latestLocation(
    @Root() { id }: TelemetryTrailerExtension,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<LatestTrailerLocation | null> {
    return telemetry.latestOfTrailer.load(id)
  }
}

@Resolver(() => TelemetryTripExtension)
export class TelemetryTripExtensionResolver {
  @FieldResolver(() => VehicleLocationPage, {
    nullable: true,
    description: 'The track of the trip, ordered by time. Default 500 points, maximum 10,000.',
  })
  path(
    @Root() { id }: TelemetryTripExtension,
    @Args(() => SeriesArgs) args: SeriesArgs,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<Page<VehicleLocation>> {
    return telemetry.pathOfTrip(id, args)
  }
}

@Resolver()
export class LatestTrailerLocationResolver {
  @Query(() => LatestTrailerLocationPage, {
    nullable: true,
    description:
      'The latest locations of all trailers that have one. With only the secret key, or if Odograph polls the connection of the token, these are the stored locations. Otherwise Odograph requests them from the provider. If that connection is disconnected: error CONNECTION_DISCONNECTED. If it is archived or deleted: UNPROCESSABLE_ENTITY.',
  })
  trailerLocations(
    @Args(() => PageArgs) args: PageArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<Page<LatestTrailerLocation>> {
    return telemetry.latestOfTrailers(args, connectionIds)
  }
}

@Resolver()
export class NearbyVehiclesResolver {
  @Query(() => NearbyVehicles, {
    nullable: true,
    description:
      'The vehicles that were near a place in a period, by their stored positions. Vehicles that have been removed since are included. Without a position in the 3 days after the period, a vehicle is assumed at its last one, if that is at most 3 days older than the period.',
  })
  vehiclesNear(
    @Args(() => VehiclesNearArgs) args: VehiclesNearArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<NearbyVehicles> {
    return telemetry.vehiclesNear(args, connectionIds)
  }
}

@Resolver(() => LatestVehicleLocation)
export class LatestVehicleLocationResolver {
  @Query(() => LatestVehicleLocationPage, {
    nullable: true,
    description:
      'The latest locations of all vehicles that have one. With only the secret key, or if Odograph polls the connection of the token, these are the stored locations. Otherwise Odograph requests them from the provider. If that connection is disconnected: error CONNECTION_DISCONNECTED. If it is archived or deleted: UNPROCESSABLE_ENTITY.',
  })
  vehicleLocations(
    @Args(() => LatestArgs) args: LatestArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { telemetry }: TelemetryContext,
  ): Promise<Page<LatestVehicleLocation>> {
    return telemetry.latestOfVehicles(args, connectionIds)
  }

  @Subscription(() => LatestVehicleLocation, {
    name: 'vehicleLocations',
    description:
      'New latest locations of vehicles, as polls and syncs store them. A location is skipped if a newer one replaces it before delivery.',
    subscribe: ({ context, args }) => (context as TelemetryContext).telemetry.changes(args),
  })
  vehicleLocationChanged(
    @Root() location: LatestVehicleLocation,
    @Args(() => LocationStreamArgs) _args: LocationStreamArgs,
  ): LatestVehicleLocation {
    return location
  }
}
