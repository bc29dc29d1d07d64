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
  description: 'How far a sync is.',
  valuesConfig: {
    REQUESTED: { description: 'Waiting for a worker.' },
    IN_PROGRESS: { description: 'Reading from the provider.' },
    COMPLETED: { description: 'Everything was read.' },
    FAILED: { description: 'Given up; `failureReason` says why.' },
  },
})

export enum ProviderRequest {
  HISTORICAL_FILES = 'historical_files',
  PROVISION_CREDENTIALS = 'provision_credentials',
}

registerEnumType(ProviderRequest, {
  name: 'ProviderRequest',
  description: 'Something that a person must do at the provider before a sync can end.',
  valuesConfig: {
    HISTORICAL_FILES: { description: 'Older records come as files.' },
    PROVISION_CREDENTIALS: { description: 'Access has to be set up.' },
  },
})

@Directive('@key(fields: "id")')
@Entity('syncs')
@Indexes(['applicationId', 'connectionId', 'id'], ['status', 'leasedUntil'], ['connectionId', 'status'])
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

  @Field(() => SyncStatus, { description: 'How far it is.' })
  @IdColumn()
  status: SyncStatus

  @Field(() => DateTime, { description: 'When it was asked for.' })
  @InstantColumn()
  requestedAt: number

  @Field(() => DateTime, { nullable: true, description: 'When it ended, one way or the other.' })
  @InstantColumn({ nullable: true })
  completedAt: number | null

  @Field(() => String, { nullable: true, description: 'Why it failed.' })
  @TextColumn({ nullable: true })
  failureReason: string | null

  @Field(() => Float, { description: 'Percent of its work that is stored, 0 to 100.' })
  @NumberColumn()
  progress: number

  @Field(() => DateTime, { nullable: true, description: 'The earliest record time that was asked for.' })
  @InstantColumn({ nullable: true })
  startFrom: number | null

  @Field(() => Int, { description: 'How often a worker has taken it up.' })
  @NumberColumn()
  attempts: number

  @Field(() => [ProviderRequest], {
    description: 'Steps by hand at the provider that it waits for; it may be in progress for long then.',
  })
  @Computed(({ providerRequests }: Sync) => providerRequests ?? [])
  @JsonColumn({ nullable: true })
  providerRequests: ProviderRequest[] | null

  /** Which run of a worker has it; a run that lost its lease can write no more. */
  @IdColumn({ nullable: true, hidden: true })
  leaseOwner: string | null

  @InstantColumn({ nullable: true, hidden: true })
  leasedUntil: number | null
}
