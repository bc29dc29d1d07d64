import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import type { FaultCodeEvent } from './fault-code-event.ts'
import { FaultCodeEventPage } from './fault-code-event.resolver.ts'
import { FaultCodeArgs, HosDailyLogArgs, HosLogArgs, RecordArgs, TripArgs } from './list-args.ts'
import { HosAvailableTime } from './hos/hos-available-time.ts'
import type { HosDailyLog } from './hos/hos-daily-log.ts'
import type { HosLog } from './hos/hos-log.ts'
import { HosDailyLogPage, HosLogPage } from './hos/hos.resolver.ts'
import { RecordsDriverExtension, RecordsVehicleExtension } from './entity-extensions.ts'
import type { RecordsContext } from './repository.ts'
import type { SafetyEvent } from './safety/safety-event.ts'
import { SafetyEventPage } from './safety/safety-event.resolver.ts'
import type { Trip } from './trip.ts'
import { TripPage } from './trip.resolver.ts'

@Resolver(() => RecordsVehicleExtension)
export class RecordsVehicleExtensionResolver {
  @FieldResolver(() => TripPage, {
    nullable: true,
    description: 'The trips of the vehicle, ordered by start.',
  })
  trips(
    @Root() { id }: RecordsVehicleExtension,
    @Args(() => TripArgs) args: TripArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<Trip>> {
    return records.tripsOfVehicle(id, args)
  }

  @FieldResolver(() => SafetyEventPage, {
    nullable: true,
    description: 'The safety events of the vehicle, ordered by start.',
  })
  safetyEvents(
    @Root() { id }: RecordsVehicleExtension,
    @Args(() => RecordArgs) args: RecordArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<SafetyEvent>> {
    return records.safetyEventsOfVehicle(id, args)
  }

  @FieldResolver(() => FaultCodeEventPage, {
    nullable: true,
    description:
      'The diagnostic trouble codes of the vehicle, ordered by the time at which they were observed.',
  })
  faultCodeEvents(
    @Root() { id }: RecordsVehicleExtension,
    @Args(() => FaultCodeArgs) args: FaultCodeArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<FaultCodeEvent>> {
    return records.faultCodeEventsOfVehicle(id, args)
  }
}

@Resolver(() => RecordsDriverExtension)
export class RecordsDriverExtensionResolver {
  @FieldResolver(() => TripPage, {
    nullable: true,
    description: 'The trips of the driver, ordered by start.',
  })
  trips(
    @Root() { id }: RecordsDriverExtension,
    @Args(() => TripArgs) args: TripArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<Trip>> {
    return records.tripsOfDriver(id, args)
  }

  @FieldResolver(() => SafetyEventPage, {
    nullable: true,
    description: 'The safety events of the driver, ordered by start.',
  })
  safetyEvents(
    @Root() { id }: RecordsDriverExtension,
    @Args(() => RecordArgs) args: RecordArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<SafetyEvent>> {
    return records.safetyEventsOfDriver(id, args)
  }

  @FieldResolver(() => HosLogPage, {
    nullable: true,
    description: 'The hours-of-service logs of the driver, ordered by start.',
  })
  hosLogs(
    @Root() { id }: RecordsDriverExtension,
    @Args(() => HosLogArgs) args: HosLogArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<HosLog>> {
    return records.hosLogsOfDriver(id, args)
  }

  @FieldResolver(() => HosDailyLogPage, {
    nullable: true,
    description: "The driver's hours of service per day, ordered by day.",
  })
  hosDailyLogs(
    @Root() { id }: RecordsDriverExtension,
    @Args(() => HosDailyLogArgs) args: HosDailyLogArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<HosDailyLog>> {
    return records.hosDailyLogsOfDriver(id, args)
  }

  @FieldResolver(() => HosAvailableTime, {
    nullable: true,
    description: "The driver's stored hours-of-service clocks. Null if the provider reports none.",
  })
  hosAvailableTime(
    @Root() { id }: RecordsDriverExtension,
    @Ctx() { records }: RecordsContext,
  ): Promise<HosAvailableTime | null> {
    return records.availableTimeOfDriver.load(id)
  }
}
