import { ArgsType, Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import type { Point } from '../../../domain/models/point.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { entityRef } from '../../schema/entity-references.ts'
import { ConnectionField } from '../../schema/graph-only-fields.ts'
import type { EntityRef } from '../../schema/entity-references.ts'
import { DateTime } from '../../schema/scalars.ts'
import { GeoPoint } from '../../schema/value-types.ts'
import { TelemetryVehicleExtension } from '../vehicle-extension.ts'
import { type Presence, PresenceEvidence } from './presence.ts'

registerEnumType(PresenceEvidence, {
  name: 'PresenceEvidence',
  description: 'What shows that a vehicle was near a place.',
  valuesConfig: {
    REPORTED: { description: 'The vehicle reported a position within the radius.' },
    PASSED: {
      description:
        'The straight line between two positions, at most 90 seconds apart, comes within the radius.',
    },
    STAYED: {
      description:
        'Two positions within the radius, at most 3 days before and after the period, have none in between; or none follows within 3 days.',
    },
  },
})

@InputType({ description: 'A position on the earth.' })
export class GeoPointInput implements Point {
  @Field(() => Float, { description: 'Longitude in degrees, east positive.' })
  longitude: number

  @Field(() => Float, { description: 'Latitude in degrees, north positive.' })
  latitude: number
}

@ArgsType()
export class VehiclesNearArgs {
  @Field(() => GeoPointInput, { description: 'The place.' })
  location: GeoPointInput

  @Field(() => Float, { description: 'Radius around the place in meters, 1 to 5,000.' })
  radius: number

  @Field(() => DateTime, { description: 'The start of the period, inclusive.' })
  startAt: number

  @Field(() => DateTime, {
    description:
      'The end of the period, inclusive. The period has at most 24 hours, and its hours times the vehicles are at most 10,000.',
  })
  endAt: number

  @Field(() => [ID], { nullable: true, description: 'Only these vehicles, at most 50.' })
  vehicleIds?: string[] | null

  @Field(() => Int, { defaultValue: 100, description: 'Number of vehicles to return, at most 1,000.' })
  first: number
}

/** Presence of a vehicle near a place, with the tenant of the vehicle. */
export interface NearbyVehicleRow extends Presence {
  readonly vehicleId: string
  readonly connectionId: string
}

@ObjectType({ simpleResolvers: true, description: 'A vehicle that was near a place in a period.' })
export class NearbyVehicle {
  connectionId: string

  @Field(() => TelemetryVehicleExtension, { description: 'The vehicle.' })
  @Computed(({ vehicleId }: NearbyVehicleRow) => entityRef(vehicleId))
  vehicle: TelemetryVehicleExtension

  @ConnectionField()
  connection?: EntityRef | null

  @Field(() => PresenceEvidence, {
    description: 'The strongest evidence: REPORTED, then PASSED, then STAYED.',
  })
  evidence: PresenceEvidence

  @Field(() => Float, { description: 'The shortest distance from the place, in meters.' })
  @Computed(({ distanceMeters }: NearbyVehicleRow) => distanceMeters)
  distance: number

  @Field(() => DateTime, { description: 'When the vehicle was nearest.' })
  nearestAt: number

  @Field(() => GeoPoint, { description: 'Where the vehicle was nearest.' })
  nearestLocation: GeoPoint

  @Field(() => DateTime, { description: 'When the vehicle was first within the radius, in the period.' })
  firstAt: number

  @Field(() => DateTime, {
    description: 'When the vehicle was last within the radius, in the period. It may have left in between.',
  })
  lastAt: number
}

@ObjectType({ simpleResolvers: true, description: 'The vehicles that were near a place in a period.' })
export class NearbyVehicles {
  @Field(() => [NearbyVehicle], { description: 'The vehicles, nearest first.' })
  nodes: readonly NearbyVehicleRow[]

  @Field(() => Int, { description: 'Number of vehicles that were near, also beyond `first`.' })
  vehicleCount: number
}
