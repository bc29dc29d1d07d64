import { Field, Float, Int, ObjectType } from 'type-graphql'
import { Loaded } from '../../schema/build-subgraph.ts'
import { EngineState } from '../../schema/enums/engine-state.ts'
import { type EntityRef, entityStub } from '../../schema/entity-references.ts'
import { DateTime } from '../../schema/scalars.ts'
import { GeoPoint } from '../../schema/value-types.ts'
import type { VisibleContext } from '../../tables/visible-reads.ts'
import { CapacitySource } from './capacity-source.ts'
import { MerchantPlaceSource } from './merchant-place-source.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'What was known about the vehicle when the purchase was checked. It never changes afterwards.',
})
export class PurchaseEvidence {
  @Field(() => GeoPoint, { nullable: true, description: 'The position of the vehicle.' })
  position: GeoPoint | null

  @Field(() => DateTime, { nullable: true, description: 'When the vehicle was there.' })
  locatedAt: number | null

  @Field(() => DateTime, { nullable: true, description: 'When Odograph stored the position.' })
  receivedAt: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'Seconds between the position and the purchase.',
  })
  ageSeconds: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'Meters between the vehicle and the merchant.',
  })
  distanceMeters: number | null

  @Field(() => GeoPoint, {
    nullable: true,
    description:
      'The place of the merchant. Null if it is unknown, and for checks of versions without this field.',
  })
  merchantPlace?: GeoPoint | null

  @Field(() => String, {
    nullable: true,
    description: 'Your own id of the site whose place it is. Null if the place is not from a site.',
  })
  merchantSiteId?: string | null

  @Field(() => Float, {
    nullable: true,
    description: 'How far the merchant may be from its known place, in meters.',
  })
  merchantAccuracyMeters: number | null

  @Field(() => MerchantPlaceSource, {
    nullable: true,
    description:
      'What the place of the merchant is known from. Null if the place is unknown, and for checks of earlier versions.',
  })
  merchantPlaceSource?: MerchantPlaceSource | null

  @Field(() => Int, {
    nullable: true,
    description: 'How many confirmed purchases the place was learnt from. Null if the place is not learnt.',
  })
  merchantSightings?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'How far the vehicle can have driven between its position and the purchase, in meters.',
  })
  reachableMeters: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'The fuel level in percent, 0 to 100. Of two tanks, the mean.',
  })
  fuelPercent: number | null

  @Field(() => DateTime, { nullable: true, description: 'When the fuel level was measured.' })
  fuelAt: number | null

  @Field(() => Float, { nullable: true, description: 'The fuel capacity in liters.' })
  capacityLiters: number | null

  @Field(() => CapacitySource, {
    nullable: true,
    description:
      'Where the fuel capacity comes from. Null if it is unknown, and for checks of versions without this field.',
  })
  capacitySource?: CapacitySource | null

  @Field(() => EngineState, { nullable: true, description: 'The state of the engine.' })
  engineState: EngineState | null

  driverId: string | null

  @Field(() => entityStub('Driver'), {
    nullable: true,
    description: 'The driver at that position. Null if unknown or hidden.',
  })
  @Loaded((row: PurchaseEvidence, { visible }: VisibleContext) => visible.reference('drivers', row.driverId))
  driver?: EntityRef | null
}

/** What the evidence has of the place of the merchant. */
export type MerchantEvidence = Pick<
  PurchaseEvidence,
  'merchantPlace' | 'merchantSiteId' | 'merchantAccuracyMeters' | 'merchantPlaceSource' | 'merchantSightings'
>
