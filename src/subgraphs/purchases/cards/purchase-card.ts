import { Field, ID, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import { sha256 } from '../../../domain/sha256.ts'
import type { Instant } from '../../../domain/time.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  TextColumn,
  Unique,
} from '../../../storage/sql/columns.ts'
import { Computed, Loaded } from '../../schema/build-subgraph.ts'
import { entityRef, type EntityRef, entityStub } from '../../schema/entity-references.ts'
import { ConnectionField } from '../../schema/graph-only-fields.ts'
import { DateTime } from '../../schema/scalars.ts'
import type { VisibleContext } from '../../tables/visible-reads.ts'

/** Fuel card with the vehicle or the driver that it is assigned to. */
@Entity('purchase_cards')
@Unique('cardHash')
@Indexes(['applicationId', 'id'], ['connectionId', 'id'], ['vehicleId', 'id'])
@ObjectType({
  simpleResolvers: true,
  description: 'A fuel card, with the vehicle or the driver that it is assigned to.',
})
export class PurchaseCard {
  @Field(() => ID, { description: 'The id of the assignment, with the prefix `pcd_`.' })
  @KeyColumn()
  id: Id<'purchaseCard'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @ConnectionField()
  connection?: EntityRef | null

  /** Hash of the application and the id of the card, whose text is compared exactly. */
  @IdColumn({ hidden: true })
  cardHash: string

  @Field(() => String, { description: 'Your own id of the card.' })
  @TextColumn()
  cardId: string

  @IdColumn({ nullable: true })
  vehicleId: string | null

  @Field(() => entityStub('Vehicle'), {
    nullable: true,
    description: 'The vehicle. Null if the card belongs to a driver.',
  })
  @Computed((row: PurchaseCard) => entityRef(row.vehicleId))
  vehicle?: EntityRef | null

  @IdColumn({ nullable: true })
  driverId: string | null

  @Field(() => entityStub('Driver'), {
    nullable: true,
    description: 'The driver. Null if the card belongs to a vehicle alone, or the driver is hidden.',
  })
  @Loaded((row: PurchaseCard, { visible }: VisibleContext) => visible.reference('drivers', row.driverId))
  driver?: EntityRef | null

  @Field(() => DateTime, { description: 'When the card was assigned.' })
  @InstantColumn()
  assignedAt: Instant
}

export const hashOfCard = (applicationId: string, cardId: string): string =>
  sha256(`${applicationId} ${cardId}`)
