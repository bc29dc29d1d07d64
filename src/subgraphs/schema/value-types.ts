import { Directive, Field, Float, ObjectType } from 'type-graphql'
import { Json, DateTime } from './scalars.ts'
import { Computed } from './build-subgraph.ts'

/** Value types that more than one subgraph speaks of. */

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'A place on earth, WGS 84.' })
export class GeoPoint {
  @Field(() => Float, { description: 'Degrees, east positive.' })
  longitude: number

  @Field(() => Float, { description: 'Degrees, north positive.' })
  latitude: number
}

/** The point of two columns, or null where the provider told none. */
export const pointOf = (longitude: number | null, latitude: number | null): GeoPoint | null =>
  longitude === null || latitude === null ? null : { longitude, latitude }

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'When this service stored and changed a record.' })
export class RecordMetadata {
  @Field(() => DateTime, { description: 'When the record was first stored.' })
  addedAt: number

  @Field(() => DateTime, { description: 'When its content last changed here; lists filter by it.' })
  modifiedAt: number
}

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'What the provider sent, as it came.' })
export class RawData {
  @Field(() => String, { description: "The provider's code." })
  provider: string

  @Field(() => String, { description: "The provider's name for this kind of record." })
  @Computed((row: { schemaName: string }) => row.schemaName)
  schema?: string

  @Field(() => DateTime, { description: 'When it was read from the provider.' })
  extractedAt: number

  @Field(() => Json, { description: "The provider's record." })
  data: unknown
}
