import { Directive, Field, Float, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  NumberColumn,
  TextColumn,
} from '../../storage/sql/columns.ts'
import { Computed, Loaded } from '../schema/build-subgraph.ts'
import { Node } from '../schema/node-interface.ts'
import { latestOf } from '../tables/raw-record.ts'
import { DateTime } from '../schema/scalars.ts'
import { entityRef } from '../schema/entity-references.ts'
import { GeoPoint, RawData } from '../schema/value-types.ts'
import { Address } from './location.ts'
import type { RawContext } from './raw-context.ts'

/** Trailers belong to another subgraph; here they are what has a place. */
@Directive('@key(fields: "id")')
@ObjectType('Trailer', { implements: Node, simpleResolvers: true })
export class TrailerOfTelemetry extends Node {}

@Entity('latest_trailer_locations')
@Indexes(['applicationId', 'connectionId', 'trailerId'])
@ObjectType('LatestTrailerLocation', { simpleResolvers: true, description: 'Where a trailer was last.' })
export class LatestTrailerLocation {
  @KeyColumn()
  trailerId: string

  @IdColumn({ hidden: true })
  applicationId: Id<'application'>

  @IdColumn({ hidden: true })
  connectionId: Id<'connection'>

  @Field(() => String, { description: "The provider's code." })
  @IdColumn()
  provider: string

  @Field(() => TrailerOfTelemetry, { nullable: true, description: 'The trailer that was here.' })
  @Computed((row: LatestTrailerLocation) => entityRef(row.trailerId))
  trailer?: TrailerOfTelemetry | null

  @Field(() => DateTime, { description: 'When it was there.' })
  @InstantColumn()
  locatedAt: number

  @NumberColumn()
  longitude: number

  @NumberColumn()
  latitude: number

  @Field(() => GeoPoint, { description: 'Where it was.' })
  @Computed((row: LatestTrailerLocation) => row)
  location?: GeoPoint

  @TextColumn({ nullable: true })
  addressText: string | null

  @Field(() => Address, { nullable: true, description: 'The place in words.' })
  @Computed(({ addressText }: LatestTrailerLocation) =>
    addressText === null ? null : { formatted: addressText },
  )
  address?: Address | null

  @Field(() => Float, { nullable: true, description: 'Degrees clockwise from north.' })
  @NumberColumn({ nullable: true })
  heading: number | null

  @Field(() => Float, { nullable: true, description: 'km/h.' })
  @NumberColumn({ nullable: true })
  speed: number | null

  @InstantColumn()
  modifiedAt: number

  @Field(() => [RawData], { description: "The provider's records that this one was made from." })
  @Loaded((row: LatestTrailerLocation, { telemetry }: RawContext) =>
    telemetry.raw.load(latestOf(row.trailerId)),
  )
  raw?: RawData[]
}
