import { Field, Float, ID, ObjectType } from 'type-graphql'
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
import { latestRawOwnerId } from '../tables/raw-record.ts'
import { EngineState } from '../schema/enums/engine-state.ts'
import { DateTime } from '../schema/scalars.ts'
import { entityRef, type EntityRef, entityStub } from '../schema/entity-references.ts'
import { GeoPoint, RawData } from '../schema/value-types.ts'
import { TelemetryVehicleExtension } from './vehicle-extension.ts'
import type { TelemetryRawContext } from './raw-context.ts'
import { CacheIdField, ConnectionField } from '../schema/graph-only-fields.ts'

@ObjectType({ simpleResolvers: true, description: 'A postal address or a description of a place.' })
export class Address {
  @Field(() => String, { description: 'The address in one line.' })
  formatted: string
}

@ObjectType({ simpleResolvers: true, description: 'When a point of a series was stored.' })
export class SeriesMetadata {
  @Field(() => DateTime, { description: 'When Odograph last stored the point.' })
  modifiedAt: number
}

@ObjectType({ simpleResolvers: true, description: 'The fuel levels of the tanks.' })
export class FuelLevel {
  @Field(() => Float, { description: 'Level of the first tank in percent, 0 to 100.' })
  primaryPercentage: number

  @Field(() => Float, { nullable: true, description: 'Level of the second tank in percent, 0 to 100.' })
  secondaryPercentage: number | null
}

/** Columns that points of a track and latest locations share. */
@ObjectType({ simpleResolvers: true })
abstract class Located {
  @KeyColumn()
  vehicleId: string

  @IdColumn({ hidden: true })
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @Field(() => String, { description: "The provider's code." })
  @IdColumn()
  provider: string

  @ConnectionField()
  connection?: EntityRef | null

  @IdColumn({ nullable: true })
  driverId: string | null

  @Field(() => TelemetryVehicleExtension, { nullable: true, description: 'The vehicle at this location.' })
  @Computed((row: Located) => entityRef(row.vehicleId))
  vehicle?: TelemetryVehicleExtension | null

  @Field(() => entityStub('Driver'), {
    nullable: true,
    description: 'The driver. Null if unknown or hidden.',
  })
  @Computed((row: Located) => entityRef(row.driverId))
  driver?: EntityRef | null

  @NumberColumn()
  longitude: number

  @NumberColumn()
  latitude: number

  @Field(() => GeoPoint, { description: 'The position of the vehicle.' })
  @Computed((row: Located) => row)
  location?: GeoPoint

  @TextColumn({ nullable: true })
  addressText: string | null

  @Field(() => Address, {
    nullable: true,
    description: 'The address of the location. Null if the provider reports none.',
  })
  @Computed(({ addressText }: Located) => (addressText === null ? null : { formatted: addressText }))
  address?: Address | null

  @Field(() => Float, { nullable: true, description: 'Heading in degrees clockwise from north.' })
  @NumberColumn({ nullable: true })
  heading: number | null

  @Field(() => Float, { nullable: true, description: 'Speed in km/h.' })
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

  @Field(() => DateTime, { description: 'When the vehicle was at this location.' })
  @InstantKeyColumn()
  locatedAt: number

  @InstantColumn()
  modifiedAt: number

  @Field(() => SeriesMetadata, { description: 'When Odograph stored the record.' })
  @Computed((row: VehicleLocation) => row)
  metadata?: SeriesMetadata

  @Field(() => [RawData], { description: "The provider's records from which this record was mapped." })
  @Loaded((row: VehicleLocation, { telemetry }: TelemetryRawContext) =>
    telemetry.rawOfPoint(row.vehicleId, row.locatedAt, 'location'),
  )
  raw?: RawData[]
}

@Entity('latest_vehicle_locations')
@Indexes(
  ['applicationId', 'connectionId', 'vehicleId'],
  ['connectionId', 'modifiedAt'],
  ['applicationId', 'modifiedAt'],
  ['driverId'],
)
@ObjectType({
  simpleResolvers: true,
  description: 'The latest location of a vehicle, and its latest measurements.',
})
export class LatestVehicleLocation extends Located {
  @CacheIdField('vehicle', ({ vehicleId }: Located) => latestRawOwnerId(vehicleId))
  id?: string

  @Field(() => DateTime, { description: 'When the vehicle was at this location.' })
  @InstantColumn()
  locatedAt: number

  @Field(() => Float, { nullable: true, description: 'Odometer reading in kilometers.' })
  @NumberColumn({ nullable: true })
  odometer: number | null

  @NumberColumn({ nullable: true })
  fuelPrimaryPercentage: number | null

  @NumberColumn({ nullable: true })
  fuelSecondaryPercentage: number | null

  @Field(() => FuelLevel, {
    nullable: true,
    description: 'The fuel levels of the tanks. Null if the provider reports none.',
  })
  @Computed((row: LatestVehicleLocation) =>
    row.fuelPrimaryPercentage === null
      ? null
      : { primaryPercentage: row.fuelPrimaryPercentage, secondaryPercentage: row.fuelSecondaryPercentage },
  )
  fuel?: FuelLevel | null

  @Field(() => EngineState, { nullable: true, description: 'The state of the engine.' })
  @IdColumn({ nullable: true })
  engineState: EngineState | null

  @Field(() => Float, {
    nullable: true,
    description: 'Total running time of the engine in whole milliseconds.',
  })
  @NumberColumn({ nullable: true })
  engineRuntime: number | null

  /** Stamp of the write that last changed the row. Stamps increase with each write of a connection. */
  @InstantColumn()
  modifiedAt: number

  @Field(() => [RawData], { description: "The provider's records from which this record was mapped." })
  @Loaded((row: LatestVehicleLocation, { telemetry }: TelemetryRawContext) =>
    telemetry.raw.load(latestRawOwnerId(row.vehicleId)),
  )
  raw?: RawData[]
}
