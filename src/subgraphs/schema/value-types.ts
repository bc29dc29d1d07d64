import { Directive, Field, Float, ObjectType } from 'type-graphql'
import { Json, DateTime } from './scalars.ts'
import { Computed } from './build-subgraph.ts'

// Value types that several subgraphs use.

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'A position on Earth in WGS 84.' })
export class GeoPoint {
  @Field(() => Float, { description: 'Longitude in degrees, east positive.' })
  longitude: number

  @Field(() => Float, { description: 'Latitude in degrees, north positive.' })
  latitude: number
}

/** Returns the point of two columns; null if the provider reports no position. */
export const pointOf = (longitude: number | null, latitude: number | null): GeoPoint | null =>
  longitude === null || latitude === null ? null : { longitude, latitude }

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'When Odograph stored and changed a record, and when the provider deleted it.' })
export class RecordMetadata {
  @Field(() => DateTime, { description: 'When the record was first stored.' })
  addedAt: number

  @Field(() => DateTime, {
    description:
      'When Odograph last stored a change of the record. `modifiedAfter` and `modifiedBefore` filter by it.',
  })
  modifiedAt: number

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the provider deleted the record or no longer listed it. Null while the provider has it.',
  })
  deletedAt: number | null
}

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'The unchanged data of the provider for a record.' })
export class RawData {
  @Field(() => String, { description: "The provider's code." })
  provider: string

  @Field(() => String, { description: "The provider's name for this kind of record." })
  @Computed((row: { schemaName: string }) => row.schemaName)
  schema?: string

  @Field(() => DateTime, { description: 'When Odograph read the data from the provider.' })
  extractedAt: number

  @Field(() => Json, { description: 'The record as the provider sent it.' })
  data: unknown
}
