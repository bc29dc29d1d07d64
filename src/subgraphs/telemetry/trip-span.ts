import { Directive, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, InstantColumn, KeyColumn } from '../../storage/sql/columns.ts'
import { Node } from '../schema/node-interface.ts'

/** The type `Trip`, which the records subgraph owns. This subgraph adds the field `path`. */
@Directive('@key(fields: "id")')
@ObjectType('Trip', { implements: Node, simpleResolvers: true })
export class TelemetryTripExtension extends Node {}

/** Vehicle and time span of a trip. They select its points from the track of the vehicle. */
@Entity('trips')
export class TripSpan {
  @KeyColumn()
  id: string

  @IdColumn()
  vehicleId: string

  @InstantColumn()
  startedAt: number

  @InstantColumn()
  endedAt: number
}
