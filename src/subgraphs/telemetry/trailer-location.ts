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
import { latestRawOwnerId } from '../tables/raw-record.ts'
import { DateTime } from '../schema/scalars.ts'
import { entityRef, type EntityRef } from '../schema/entity-references.ts'
import { GeoPoint, RawData } from '../schema/value-types.ts'
import { Address } from './location.ts'
import type { TelemetryRawContext } from './raw-context.ts'
import { CacheIdField, ConnectionField } from '../schema/graph-only-fields.ts'

/** Extension of a trailer, which the fleet subgraph owns, with its latest location. */
@Directive('@key(fields: "id")')
@ObjectType('Trailer', { implements: Node, simpleResolvers: true })
export class TelemetryTrailerExtension extends Node {}

@Entity('latest_trailer_locations')
@Indexes(['applicationId', 'connectionId', 'trailerId'])
@ObjectType('LatestTrailerLocation', {
  simpleResolvers: true,
  description: 'The latest location of a trailer.',
})
export class LatestTrailerLocation {
  @CacheIdField('trailer', ({ trailerId }: LatestTrailerLocation) => latestRawOwnerId(trailerId))
  id?: string

  @KeyColumn()
  trailerId: string

  @IdColumn({ hidden: true })
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @Field(() => String, { description: "The provider's code." })
  @IdColumn()
  provider: string

  @ConnectionField()
  connection?: EntityRef | null

  @Field(() => TelemetryTrailerExtension, { nullable: true, description: 'The trailer at this location.' })
  @Computed((row: LatestTrailerLocation) => entityRef(row.trailerId))
  trailer?: TelemetryTrailerExtension | null

  @Field(() => DateTime, { description: 'When the trailer was at this location.' })
  @InstantColumn()
  locatedAt: number

  @NumberColumn()
  longitude: number

  @NumberColumn()
  latitude: number

  @Field(() => GeoPoint, { description: 'The position of the trailer.' })
  @Computed((row: LatestTrailerLocation) => row)
  location?: GeoPoint

  @TextColumn({ nullable: true })
  addressText: string | null

  @Field(() => Address, {
    nullable: true,
    description: 'The address of the location. Null if the provider reports none.',
  })
  @Computed(({ addressText }: LatestTrailerLocation) =>
    addressText === null ? null : { formatted: addressText },
  )
  address?: Address | null

  @Field(() => Float, { nullable: true, description: 'Heading in degrees clockwise from north.' })
  @NumberColumn({ nullable: true })
  heading: number | null

  @Field(() => Float, { nullable: true, description: 'Speed in km/h.' })
  @NumberColumn({ nullable: true })
  speed: number | null

  @InstantColumn()
  modifiedAt: number

  @Field(() => [RawData], { description: "The provider's records from which this record was mapped." })
  @Loaded((row: LatestTrailerLocation, { telemetry }: TelemetryRawContext) =>
    telemetry.raw.load(latestRawOwnerId(row.trailerId)),
  )
  raw?: RawData[]
}
