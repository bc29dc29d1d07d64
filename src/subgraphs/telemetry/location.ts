import { Field, Float, ID, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { type Id, pointId } from '../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  InstantKeyColumn,
  KeyColumn,
  NumberColumn,
  TextColumn,
} from '../../storage/sql/columns.ts'
import { Computed, Loaded } from '../schema/build-subgraph.ts'
import { latestOf } from '../tables/raw-record.ts'
import { DateTime } from '../schema/scalars.ts'
import { DriverRef, entityRef } from '../schema/entity-references.ts'
import { GeoPoint, RawData } from '../schema/value-types.ts'
import { VehicleOfTelemetry } from './vehicle-extension.ts'
import type { RawContext } from './raw-context.ts'

@ObjectType({ simpleResolvers: true, description: 'A place in words.' })
export class Address {
  @Field(() => String, { description: 'The place in one line.' })
  formatted: string
}

@ObjectType({ simpleResolvers: true, description: 'When a point of a series was stored.' })
export class SeriesMetadata {
  @Field(() => DateTime, { description: 'When it was last stored here.' })
  modifiedAt: number
}

@ObjectType({ simpleResolvers: true, description: 'How full the tanks are.' })
export class FuelLevel {
  @Field(() => Float, { description: 'Percent of the first tank, 0 to 100.' })
  primaryPercentage: number

  @Field(() => Float, { nullable: true, description: 'Percent of the second tank, 0 to 100.' })
  secondaryPercentage: number | null
}

export enum EngineState {
  ON = 'on',
  OFF = 'off',
  IDLE = 'idle',
}

registerEnumType(EngineState, {
  name: 'EngineState',
  description: 'What an engine does.',
  valuesConfig: {
    ON: { description: 'Runs and drives.' },
    OFF: { description: 'Does not run.' },
    IDLE: { description: 'Runs at a standstill.' },
  },
})

/** What a point of a track and the latest place of a vehicle have in common. */
@ObjectType({ simpleResolvers: true })
abstract class Located {
  @KeyColumn()
  vehicleId: string

  @IdColumn({ hidden: true })
  applicationId: Id<'application'>

  @IdColumn({ hidden: true })
  connectionId: Id<'connection'>

  @Field(() => String, { description: "The provider's code." })
  @IdColumn()
  provider: string

  @IdColumn({ nullable: true })
  driverId: string | null

  @Field(() => VehicleOfTelemetry, { nullable: true, description: 'The vehicle that was here.' })
  @Computed((row: Located) => entityRef(row.vehicleId))
  vehicle?: VehicleOfTelemetry | null

  @Field(() => DriverRef, { nullable: true, description: 'Who drove, where it is known.' })
  @Computed((row: Located) => entityRef(row.driverId))
  driver?: DriverRef | null

  @NumberColumn()
  longitude: number

  @NumberColumn()
  latitude: number

  @Field(() => GeoPoint, { description: 'Where it was.' })
  @Computed((row: Located) => row)
  location?: GeoPoint

  @TextColumn({ nullable: true })
  addressText: string | null

  @Field(() => Address, { nullable: true, description: 'The place in words.' })
  @Computed(({ addressText }: Located) => (addressText === null ? null : { formatted: addressText }))
  address?: Address | null

  @Field(() => Float, { nullable: true, description: 'Degrees clockwise from north.' })
  @NumberColumn({ nullable: true })
  heading: number | null

  @Field(() => Float, { nullable: true, description: 'km/h.' })
  @NumberColumn({ nullable: true })
  speed: number | null
}

@Entity('vehicle_locations')
@ObjectType({ simpleResolvers: true, description: 'A point of the track of a vehicle.' })
export class VehicleLocation extends Located {
  @Field(() => ID, { description: 'A prefixed ULID.' })
  @Computed((row: VehicleLocation) => pointId('vehicleLocation', row.vehicleId, row.locatedAt))
  id?: Id<'vehicleLocation'>

  @Field(() => ID, { nullable: true, description: "The point's id in the provider's system." })
  @TextColumn({ nullable: true })
  sourceId: string | null

  @Field(() => DateTime, { description: 'When the vehicle was there.' })
  @InstantKeyColumn()
  locatedAt: number

  @InstantColumn()
  modifiedAt: number

  @Field(() => SeriesMetadata, { description: 'When it was stored here.' })
  @Computed((row: VehicleLocation) => row)
  metadata?: SeriesMetadata

  @Field(() => [RawData], { description: "The provider's records that this one was made from." })
  @Loaded((row: VehicleLocation, { telemetry }: RawContext) =>
    telemetry.rawOfPoint(row.vehicleId, row.locatedAt, 'location'),
  )
  raw?: RawData[]
}

@Entity('latest_vehicle_locations')
@Indexes(
  ['applicationId', 'connectionId', 'vehicleId'],
  ['connectionId', 'modifiedAt'],
  ['applicationId', 'modifiedAt'],
)
@ObjectType({ simpleResolvers: true, description: 'Where a vehicle was last, and what it last reported.' })
export class LatestVehicleLocation extends Located {
  @Field(() => DateTime, { description: 'When it was there.' })
  @InstantColumn()
  locatedAt: number

  @Field(() => Float, { nullable: true, description: 'Kilometers.' })
  @NumberColumn({ nullable: true })
  odometer: number | null

  @NumberColumn({ nullable: true })
  fuelPrimaryPercentage: number | null

  @NumberColumn({ nullable: true })
  fuelSecondaryPercentage: number | null

  @Field(() => FuelLevel, { nullable: true, description: 'How full the tanks were.' })
  @Computed((row: LatestVehicleLocation) =>
    row.fuelPrimaryPercentage === null
      ? null
      : { primaryPercentage: row.fuelPrimaryPercentage, secondaryPercentage: row.fuelSecondaryPercentage },
  )
  fuel?: FuelLevel | null

  @Field(() => EngineState, { nullable: true, description: 'What the engine did.' })
  @IdColumn({ nullable: true })
  engineState: EngineState | null

  @Field(() => Float, { nullable: true, description: 'Whole milliseconds.' })
  @NumberColumn({ nullable: true })
  engineRuntime: number | null

  /** When it was stored here, by the connection's clock. */
  @InstantColumn()
  modifiedAt: number

  @Field(() => [RawData], { description: "The provider's records that this one was made from." })
  @Loaded((row: LatestVehicleLocation, { telemetry }: RawContext) =>
    telemetry.raw.load(latestOf(row.vehicleId)),
  )
  raw?: RawData[]
}
