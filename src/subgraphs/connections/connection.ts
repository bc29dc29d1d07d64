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
  description: 'The status of a connection.',
  valuesConfig: {
    CONNECTED: { description: 'It is active, and the provider accepts its credentials.' },
    DISCONNECTED: {
      description:
        'The provider no longer accepts its credentials, or a caller disconnected it. The fleet must sign in again, or `reconnectConnection` connects it if the provider still accepts the credentials.',
    },
    ARCHIVED: { description: 'It is archived. No data is synced and no events are delivered.' },
    PENDING_DELETION: { description: 'It is marked for deletion, within the grace period.' },
    DELETING: { description: 'Its data is being deleted.' },
    DELETED: { description: 'Its data is deleted. Only this stub remains.' },
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
  @Field(() => String, { nullable: true, description: 'The name of the company.' })
  name: string | null

  @Field(() => [String], { description: 'The US DOT numbers.' })
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
  @Field(() => String, { nullable: true, description: 'The name of the account at the provider.' })
  name: string | null

  @Field(() => [String], { description: 'The US DOT numbers.' })
  dotNumbers: string[]

  @Field(() => AccountUser, { nullable: true, description: 'The person who linked the account.' })
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

  /** Its own id, so that the tenant condition is the same for all tables. */
  @IdColumn()
  connectionId: Id<'connection'>

  @IdColumn()
  provider: string

  @Field(() => ConnectionStatus, { description: 'The status of the connection.' })
  @IdColumn()
  status: ConnectionStatus

  @Field(() => SyncMode, { description: 'When data is read from the provider.' })
  @IdColumn()
  syncMode: SyncMode

  @Field(() => Company, { description: 'The company that linked its account.' })
  @JsonColumn()
  company: Company

  @Field(() => ProviderAccount, { description: "The fleet's account at the provider." })
  @JsonColumn()
  account: ProviderAccount

  @Field(() => Json, { description: 'The settings of the connection.' })
  @JsonColumn()
  options: Record<string, unknown>

  @Field(() => [String], { description: "The caller's own labels for the connection." })
  @JsonColumn()
  tags: string[]

  @Field(() => Json, { nullable: true, description: 'The filters of the visible vehicles and drivers.' })
  @JsonColumn({ nullable: true })
  filters: Record<string, unknown> | null

  @Field(() => ID, { nullable: true, description: "The account's id in the provider's system." })
  @TextColumn({ nullable: true })
  sourceId: string | null

  @Field(() => ID, { nullable: true, description: "The caller's own identifier for the connection." })
  @TextColumn({ nullable: true })
  externalId: string | null

  // Reads of connections do not select hidden columns. The sealed token is selected, because `token` shows it.
  @IdColumn({ hidden: true })
  tokenHash: string

  @TextColumn()
  tokenSealed: string

  @LongTextColumn({ hidden: true })
  credentialsSealed: string

  /** Earliest record time of its first sync; null for the time of its creation. */
  @InstantColumn({ nullable: true })
  backfillFrom: number | null

  @Field(() => DateTime, { description: 'When the connection was created.' })
  @InstantColumn()
  createdAt: number

  @Field(() => DateTime, { description: 'When a field of the connection last changed.' })
  @InstantColumn()
  updatedAt: number

  /** Stamp of the last write to the records of this connection: their newest `modifiedAt`. The next stamp is later. */
  @InstantColumn({ hidden: true })
  lastStamp: number

  @IdColumn({ nullable: true })
  lastSyncId: Id<'sync'> | null

  @Field(() => String, {
    nullable: true,
    description:
      "The time zone of the fleet's days and months, such as America/Chicago. Null if the provider does not supply it.",
  })
  @TextColumn({ nullable: true })
  timeZone: string | null

  /** Status before the deletion request, restored when the deletion is cancelled. */
  @IdColumn({ nullable: true })
  statusBefore: ConnectionStatus | null

  /** Start of the grace period; null unless the deletion was requested. */
  @InstantColumn({ nullable: true })
  deletionRequestedAt: number | null

  /** Start of the status DISCONNECTED, kept while a deletion is pending; null in the other statuses. */
  @InstantColumn({ nullable: true })
  lastDisconnectedAt: number | null

  @Field(() => DateTime, { nullable: true, description: 'When the deletion of the data was complete.' })
  @InstantColumn({ nullable: true })
  deletedAt: number | null

  /**
   * End of the renewal lease of its credentials, by the clock of the database. Other workers wait until then for
   * the renewed credentials. An end in the past means that the last renewal has no known outcome.
   */
  @InstantColumn({ nullable: true, hidden: true })
  refreshingUntil?: number | null
}
