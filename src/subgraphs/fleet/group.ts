import { Directive, Field, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, InstantColumn, TextColumn } from '../../storage/sql/columns.ts'
import { Computed } from '../schema/build-subgraph.ts'
import { ConnectionField } from '../schema/graph-only-fields.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime } from '../schema/scalars.ts'
import { LIST_INDEXES, ProviderRecord } from '../tables/provider-record.ts'
import { EntityMetadata } from './value-types/entity-metadata.ts'
import { FleetConnectionExtension } from './connection-extension.ts'

@Directive('@key(fields: "id")')
@Entity('groups')
@Indexes(...LIST_INDEXES)
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A group of vehicles, drivers and trailers of a fleet, such as a region or a terminal.',
})
export class Group extends ProviderRecord {
  @ConnectionField(() => FleetConnectionExtension)
  connection?: FleetConnectionExtension | null

  @Field(() => String, { nullable: true, description: 'The name of the group.' })
  @TextColumn({ nullable: true })
  name: string | null

  @Field(() => String, { nullable: true, description: 'The description of the group.' })
  @TextColumn({ nullable: true })
  description: string | null

  @IdColumn({ nullable: true })
  parentId: string | null

  @Field(() => DateTime, {
    nullable: true,
    description: "When the record was created in the provider's system.",
  })
  @InstantColumn({ nullable: true })
  createdAt: number | null

  @Field(() => DateTime, {
    nullable: true,
    description: "When the record was last updated in the provider's system.",
  })
  @InstantColumn({ nullable: true })
  updatedAt: number | null

  @Field(() => EntityMetadata, {
    description: 'When Odograph stored and changed the record, and whether lists include it; if not, why.',
  })
  @Computed((row: Group) => row)
  metadata?: EntityMetadata
}
