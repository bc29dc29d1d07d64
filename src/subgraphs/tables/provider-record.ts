import { Field, ID, ObjectType } from 'type-graphql'
import type { Id } from '../../domain/ids.ts'
import { IdColumn, InstantColumn, KeyColumn, TextColumn } from '../../storage/sql/columns.ts'
import { Node } from '../schema/node-interface.ts'

/** What every record that comes from a provider has, whichever subgraph owns it. */
@ObjectType({ simpleResolvers: true })
export abstract class ProviderRecord extends Node {
  @KeyColumn()
  override readonly id: string

  @IdColumn({ hidden: true })
  applicationId: Id<'application'>

  @IdColumn({ hidden: true })
  connectionId: Id<'connection'>

  @Field(() => ID, { description: "The record's id in the provider's system." })
  @TextColumn()
  sourceId: string

  @Field(() => String, { description: "The provider's code." })
  @IdColumn()
  provider: string

  @InstantColumn()
  addedAt: number

  @InstantColumn()
  modifiedAt: number

  @InstantColumn({ nullable: true })
  deletedAt: number | null

  /** Of the mapped content: another hash means that the record was modified. */
  @IdColumn({ hidden: true })
  contentHash: string

  /** Of the provider's record. */
  @IdColumn({ hidden: true })
  rawHash: string

  /** The last sync that saw the record; one that a full list does not show was removed. */
  @IdColumn({ nullable: true, hidden: true })
  seenIn: string | null
}

/** The indexes of every list of records: by id or by the time of change, of one connection or of an application. */
export const LIST_INDEXES = [
  ['applicationId', 'connectionId', 'id'],
  ['connectionId', 'modifiedAt', 'id'],
  ['applicationId', 'modifiedAt', 'id'],
] as const

/** The indexes of a list in the order of a time, also of one owner. */
export const listIndexesBy = (time: string, ...owners: readonly string[]): readonly (readonly string[])[] =>
  ['connectionId', 'applicationId', ...owners].map((owner) => [owner, time, 'id'])
