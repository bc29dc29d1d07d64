import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  LongTextColumn,
  TextColumn,
  Unique,
} from '../../storage/sql/columns.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime, Json } from '../schema/scalars.ts'

export enum ConnectionStatus {
  CONNECTED = 'connected',
  DISCONNECTED = 'disconnected',
  ARCHIVED = 'archived',
  PENDING_DELETION = 'pending_deletion',
  DELETING = 'deleting',
  DELETED = 'deleted',
}

registerEnumType(ConnectionStatus, {
  name: 'ConnectionStatus',
  description: 'Where a connection is in its life.',
  valuesConfig: {
    CONNECTED: { description: 'Active and authenticated.' },
    DISCONNECTED: { description: 'No longer authenticated; the fleet must link the account again.' },
    ARCHIVED: { description: 'Removed from view; nothing is synced or delivered.' },
    PENDING_DELETION: { description: 'Marked for deletion, within the grace period.' },
    DELETING: { description: 'Its data is being deleted.' },
    DELETED: { description: 'Its data is deleted; this stub remains.' },
  },
})

export enum SyncMode {
  AUTOMATIC = 'automatic',
  MANUAL = 'manual',
}

registerEnumType(SyncMode, {
  name: 'SyncMode',
  description: "When a connection's data is read from its provider.",
  valuesConfig: {
    AUTOMATIC: { description: 'In the background.' },
    MANUAL: { description: 'On request only.' },
  },
})

@ObjectType({ simpleResolvers: true, description: 'The company that linked its account.' })
export class Company {
  @Field(() => String, { nullable: true, description: 'What it is called.' })
  name: string | null

  @Field(() => [String], { description: 'Its US DOT numbers.' })
  dotNumbers: string[]
}

@ObjectType({ simpleResolvers: true, description: "A person in the provider's system." })
export class AccountUser {
  @Field(() => ID, { nullable: true, description: "The person's id in the provider's system." })
  sourceId?: string

  @Field(() => String, { nullable: true, description: 'The first name.' })
  firstName?: string

  @Field(() => String, { nullable: true, description: 'The last name.' })
  lastName?: string

  @Field(() => String, { nullable: true, description: 'The e-mail address.' })
  email?: string
}

@ObjectType({ simpleResolvers: true, description: "The fleet's account at its provider." })
export class ProviderAccount {
  @Field(() => String, { nullable: true, description: 'What the provider calls it.' })
  name: string | null

  @Field(() => [String], { description: 'Its US DOT numbers.' })
  dotNumbers: string[]

  @Field(() => AccountUser, { nullable: true, description: 'Who linked it.' })
  user: AccountUser | null
}

@Directive('@key(fields: "id")')
@Entity('connections')
@Unique('tokenHash')
@Indexes(['applicationId', 'id'], ['status', 'id'], ['applicationId', 'provider', 'sourceId'])
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: "A fleet's link to a provider, made with its consent.",
})
export class Connection extends Node {
  @KeyColumn()
  override readonly id: Id<'connection'>

  @IdColumn()
  applicationId: Id<'application'>

  /** Its own id, so that the tenant condition reads like every other table's. */
  @IdColumn()
  connectionId: Id<'connection'>

  @IdColumn()
  provider: string

  @Field(() => ConnectionStatus, { description: 'Where it is in its life.' })
  @IdColumn()
  status: ConnectionStatus

  @Field(() => SyncMode, { description: 'When its data is read from the provider.' })
  @IdColumn()
  syncMode: SyncMode

  @Field(() => Company, { description: 'The company that linked its account.' })
  @JsonColumn()
  company: Company

  @Field(() => ProviderAccount, { description: "The fleet's account at the provider." })
  @JsonColumn()
  account: ProviderAccount

  @Field(() => Json, { description: 'Settings of this connection.' })
  @JsonColumn()
  options: Record<string, unknown>

  @Field(() => [String], { description: "The caller's own labels." })
  @JsonColumn()
  tags: string[]

  @Field(() => Json, { nullable: true, description: 'Which vehicles and drivers are shown.' })
  @JsonColumn({ nullable: true })
  filters: Record<string, unknown> | null

  @Field(() => ID, { nullable: true, description: "The account's id in the provider's system." })
  @TextColumn({ nullable: true })
  sourceId: string | null

  @Field(() => ID, { nullable: true, description: "The caller's own identifier." })
  @TextColumn({ nullable: true })
  externalId: string | null

  @IdColumn({ hidden: true })
  tokenHash: string

  @TextColumn()
  tokenSealed: string

  @LongTextColumn({ hidden: true })
  credentialsSealed: string

  /** The earliest record time that its first sync asks for. */
  @InstantColumn({ nullable: true })
  backfillFrom: number | null

  @Field(() => DateTime, { description: 'When it was made.' })
  @InstantColumn()
  createdAt: number

  @Field(() => DateTime, { description: 'When one of its own facts last changed.' })
  @InstantColumn()
  updatedAt: number

  /** The newest `modifiedAt` given to a record of this connection; the next one is later. */
  @InstantColumn({ hidden: true })
  lastStamp: number

  @IdColumn({ nullable: true })
  lastSyncId: Id<'sync'> | null

  @Field(() => String, {
    nullable: true,
    description:
      "The fleet's time zone, such as America/Chicago: its days and months begin in it. Null where the provider does not tell.",
  })
  @TextColumn({ nullable: true })
  timeZone: string | null

  /** The state that it goes back to when its deletion is called off. */
  @IdColumn({ nullable: true })
  statusBefore: ConnectionStatus | null

  /** When its deletion was asked for: the grace period begins then. */
  @InstantColumn({ nullable: true })
  deletionRequestedAt: number | null

  @Field(() => DateTime, { nullable: true, description: 'When its data was gone.' })
  @InstantColumn({ nullable: true })
  deletedAt: number | null

  /** While a worker has its credentials renewed, the others wait for what it stores. */
  @InstantColumn({ nullable: true, hidden: true })
  refreshingUntil?: number | null
}

/** How events of other records speak of their connection. */
export const toEventReference = ({ id, provider, externalId, tags }: Connection, providerName: string) => ({
  id,
  provider: { code: provider, name: providerName },
  ...(externalId === null ? {} : { externalId }),
  tags,
})
