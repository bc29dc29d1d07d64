import { Field, ID, ObjectType } from 'type-graphql'
import type { Id } from '../../domain/ids.ts'
import { IdColumn, InstantColumn, KeyColumn, TextColumn } from '../../storage/sql/columns.ts'
import { Node } from '../schema/node-interface.ts'

/** Columns of every provider record, in all subgraphs. */
@ObjectType({ simpleResolvers: true })
export abstract class ProviderRecord extends Node {
  @KeyColumn()
  override readonly id: string

  @IdColumn({ hidden: true })
  applicationId: Id<'application'>

  @IdColumn()
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

  /** Hash of the mapped content. A different hash means that the record was modified. */
  @IdColumn({ hidden: true })
  contentHash: string

  /** Hash of the provider's record. If only this hash differs, the new raw data is stored without an event. */
  @IdColumn({ hidden: true })
  rawHash: string

  /**
   * Id of the last sync that read the record, or `missing` while its removal is held. After a sync has read a complete
   * list, it marks the records that it has not seen as deleted.
   */
  @IdColumn({ nullable: true, hidden: true })
  seenIn: string | null
}

/** Indexes of lists of records by id or by modification time, within a connection or an application. */
export const LIST_INDEXES = [
  ['applicationId', 'connectionId', 'id'],
  ['connectionId', 'modifiedAt', 'id'],
  ['applicationId', 'modifiedAt', 'id'],
] as const

/**
 * Returns the indexes of a list in the order of `time`, within a connection, an application or an owner. `owners` are
 * columns such as `vehicleId`.
 */
export const listIndexesBy = (time: string, ...owners: readonly string[]): readonly (readonly string[])[] =>
  ['connectionId', 'applicationId', ...owners].map((owner) => [owner, time, 'id'])
