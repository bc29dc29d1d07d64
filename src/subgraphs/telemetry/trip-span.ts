import { Directive, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, InstantColumn, KeyColumn } from '../../storage/sql/columns.ts'
import { Node } from '../schema/node-interface.ts'

/** Extension of a trip, which the records subgraph owns, with its path. */
@Directive('@key(fields: "id")')
@ObjectType('Trip', { implements: Node, simpleResolvers: true })
export class TelemetryTripExtension extends Node {}

/** Columns of a trip by which its points are found in the track of the vehicle. */
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
