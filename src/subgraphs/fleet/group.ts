import { Directive, Field, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, InstantColumn, TextColumn } from '../../storage/sql/columns.ts'
import { Computed } from '../schema/build-subgraph.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime } from '../schema/scalars.ts'
import { LIST_INDEXES, ProviderRecord } from '../tables/provider-record.ts'
import { EntityMetadata } from './value-types/entity-metadata.ts'

@Directive('@key(fields: "id")')
@Entity('groups')
@Indexes(...LIST_INDEXES)
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A set of vehicles and drivers that the fleet keeps together, such as a region or a terminal.',
})
export class Group extends ProviderRecord {
  @Field(() => String, { nullable: true, description: 'What the fleet calls it.' })
  @TextColumn({ nullable: true })
  name: string | null

  @Field(() => String, { nullable: true, description: 'What it is for.' })
  @TextColumn({ nullable: true })
  description: string | null

  @IdColumn({ nullable: true })
  parentId: string | null

  @Field(() => DateTime, { nullable: true, description: "In the provider's system." })
  @InstantColumn({ nullable: true })
  createdAt: number | null

  @Field(() => DateTime, { nullable: true, description: "In the provider's system." })
  @InstantColumn({ nullable: true })
  updatedAt: number | null

  @Field(() => EntityMetadata, {
    description: 'When it was stored and changed here, and whether lists show it.',
  })
  @Computed((row: Group) => row)
  metadata?: EntityMetadata
}
