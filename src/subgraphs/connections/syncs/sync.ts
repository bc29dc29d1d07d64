import { Directive, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  NumberColumn,
  TextColumn,
} from '../../../storage/sql/columns.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { Node } from '../../schema/node-interface.ts'
import { DateTime } from '../../schema/scalars.ts'

export enum SyncStatus {
  REQUESTED = 'requested',
  IN_PROGRESS = 'in_progress',
  COMPLETED = 'completed',
  FAILED = 'failed',
}

registerEnumType(SyncStatus, {
  name: 'SyncStatus',
  description: 'The status of a sync.',
  valuesConfig: {
    REQUESTED: { description: 'It waits for a worker.' },
    IN_PROGRESS: { description: 'It reads from the provider.' },
    COMPLETED: { description: 'It has read all data that the account permits. `issues` name the rest.' },
    FAILED: { description: 'It failed or was cancelled. `failureReason` contains the reason.' },
  },
})

export enum ProviderRequest {
  HISTORICAL_FILES = 'historical_files',
  PROVISION_CREDENTIALS = 'provision_credentials',
}

registerEnumType(ProviderRequest, {
  name: 'ProviderRequest',
  description: 'A manual step at the provider. The caller asks for it when it requests a sync.',
  valuesConfig: {
    HISTORICAL_FILES: { description: 'Have older records delivered as files.' },
    PROVISION_CREDENTIALS: { description: 'Have access set up.' },
  },
})

@Directive('@key(fields: "id")')
@Entity('syncs')
@Indexes(
  ['applicationId', 'connectionId', 'id'],
  ['status', 'leasedUntil'],
  ['connectionId', 'status'],
  ['connectionId', 'status', 'completedAt'],
)
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: "One run of reading a connection's data from its provider.",
})
export class Sync extends Node {
  @KeyColumn()
  override readonly id: Id<'sync'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @Field(() => SyncStatus, { description: 'The status of the sync.' })
  @IdColumn()
  status: SyncStatus

  @Field(() => DateTime, { description: 'When the sync was requested.' })
  @InstantColumn()
  requestedAt: number

  @Field(() => DateTime, { nullable: true, description: 'When the sync completed or failed.' })
  @InstantColumn({ nullable: true })
  completedAt: number | null

  @Field(() => String, { nullable: true, description: 'Why the sync failed. Null if it has not failed.' })
  @TextColumn({ nullable: true })
  failureReason: string | null

  @Field(() => Float, { description: 'The percentage of the work that is done and stored, 0 to 100.' })
  @NumberColumn()
  progress: number

  @Field(() => DateTime, { nullable: true, description: 'The earliest record time that was requested.' })
  @InstantColumn({ nullable: true })
  startFrom: number | null

  @Field(() => Int, { description: 'Number of times that a worker has started the sync.' })
  @NumberColumn()
  attempts: number

  @Field(() => [ProviderRequest], {
    description: 'The manual steps at the provider that were requested with the sync.',
  })
  @Computed(({ providerRequests }: Sync) => providerRequests ?? [])
  @JsonColumn({ nullable: true })
  providerRequests: ProviderRequest[] | null

  /** Id of the worker run that holds the lease of the sync. A run without the lease cannot write. */
  @IdColumn({ nullable: true, hidden: true })
  leaseOwner: string | null

  @InstantColumn({ nullable: true, hidden: true })
  leasedUntil: number | null
}
