import { Field, Float, ID, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import { sha256 } from '../../../domain/sha256.ts'
import type { Instant } from '../../../domain/time.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  NumberColumn,
  TextColumn,
  Unique,
} from '../../../storage/sql/columns.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { DateTime } from '../../schema/scalars.ts'
import { GeoPoint } from '../../schema/value-types.ts'

/** Place of an application where fuel is sold. It names no vehicle, so it belongs to no connection. */
@Entity('purchase_sites')
@Unique('siteHash')
@Indexes(['applicationId', 'id'], ['matchKey'])
@ObjectType({
  simpleResolvers: true,
  description: 'A site of your own: a station or truck stop whose coordinates you know.',
})
export class PurchaseSite {
  @Field(() => ID, { description: 'The id, with the prefix `pst_`.' })
  @KeyColumn()
  id: Id<'purchaseSite'>

  @IdColumn()
  applicationId: Id<'application'>

  /** Hash of the application and the id of the site, whose text is compared exactly. */
  @IdColumn({ hidden: true })
  siteHash: string

  /** Hash of what purchases without a site id are compared with; null without postal code, country and store number. */
  @IdColumn({ hidden: true, nullable: true })
  matchKey: string | null

  @Field(() => String, { description: 'Your own id of the site.' })
  @TextColumn()
  siteId: string

  @Field(() => String, { description: 'The name.' })
  @TextColumn()
  name: string

  @NumberColumn()
  longitude: number

  @NumberColumn()
  latitude: number

  @Field(() => GeoPoint, { description: 'The position of the site.' })
  @Computed(({ longitude, latitude }: PurchaseSite): GeoPoint => ({ longitude, latitude }))
  coordinates?: GeoPoint

  @Field(() => Float, { description: 'How far a pump may be from the coordinates, in meters.' })
  @NumberColumn()
  radiusMeters: number

  @Field(() => String, { nullable: true, description: 'The postal code.' })
  @TextColumn({ nullable: true })
  postalCode: string | null

  @Field(() => String, { nullable: true, description: 'The city.' })
  @TextColumn({ nullable: true })
  city: string | null

  @Field(() => String, { nullable: true, description: 'The state or province, such as TX.' })
  @TextColumn({ nullable: true })
  state: string | null

  @Field(() => String, { nullable: true, description: 'The country by ISO 3166, such as US.' })
  @TextColumn({ nullable: true })
  country: string | null

  @Field(() => DateTime, { description: 'When the site was last changed.' })
  @InstantColumn()
  modifiedAt: Instant
}

export const hashOfSite = (applicationId: string, siteId: string): string =>
  sha256(`${applicationId} ${siteId}`)
