import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/page.ts'
import { RecordArgs, TripArgs } from './filters.ts'
import { DriverOfRecords, VehicleOfRecords } from './owners.ts'
import type { RecordsContext } from './reads.ts'
import type { SafetyEvent } from './safety-event.ts'
import { SafetyEventPage } from './safety-event.resolver.ts'
import type { Trip } from './trip.ts'
import { TripPage } from './trip.resolver.ts'

@Resolver(() => VehicleOfRecords)
export class VehicleOfRecordsResolver {
  @FieldResolver(() => TripPage, { description: 'Its trips, by their start.' })
  trips(
    @Root() { id }: VehicleOfRecords,
    @Args(() => TripArgs) args: TripArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<Trip>> {
    return records.trips.pageOfVehicle(id, args)
  }

  @FieldResolver(() => SafetyEventPage, { description: 'Its safety events, by their start.' })
  safetyEvents(
    @Root() { id }: VehicleOfRecords,
    @Args(() => RecordArgs) args: RecordArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<SafetyEvent>> {
    return records.safetyEvents.pageOfVehicle(id, args)
  }
}

@Resolver(() => DriverOfRecords)
export class DriverOfRecordsResolver {
  @FieldResolver(() => TripPage, { description: "The driver's trips, by their start." })
  trips(
    @Root() { id }: DriverOfRecords,
    @Args(() => TripArgs) args: TripArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<Trip>> {
    return records.trips.pageOfDriver(id, args)
  }

  @FieldResolver(() => SafetyEventPage, { description: "The driver's safety events, by their start." })
  safetyEvents(
    @Root() { id }: DriverOfRecords,
    @Args(() => RecordArgs) args: RecordArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<SafetyEvent>> {
    return records.safetyEvents.pageOfDriver(id, args)
  }
}
