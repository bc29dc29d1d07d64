import { Directive, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, InstantColumn, KeyColumn } from '../../storage/sql/columns.ts'
import { Node } from '../schema/node-interface.ts'

/** Trips belong to another subgraph; here they are what has a path. */
@Directive('@key(fields: "id")')
@ObjectType('Trip', { implements: Node, simpleResolvers: true })
export class TripOfTelemetry extends Node {}

/** Which part of which track a trip is. */
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
