import { Field, Float, ID, InputType } from 'type-graphql'
import { DateTime, Json } from '../schema/scalars.ts'
import { ConnectionStatus, SyncMode } from './connection.ts'
import type { AcceptedAgreement } from './lifecycle/accept-agreements.ts'
import type { ConnectionInput } from './lifecycle/link-connection.ts'
import type { ConnectionChange } from './update-connection.ts'

const CONNECTION_ID =
  'The id of the connection. Optional with a connection token, which selects its connection.'
const FILTERS =
  'Filters of the visible vehicles and drivers: {"vehicles": {"status": "active", "includeIds": [], "excludeIds": []}, "drivers": …}. If `includeIds` is set, only it applies; else `status` and `excludeIds` apply.'

@InputType({ description: 'A connection.' })
export class ConnectionChoice {
  @Field(() => ID, { nullable: true, description: CONNECTION_ID })
  connectionId?: string | null
}

@InputType({ description: 'The connection to archive.' })
export class ArchiveConnectionInput extends ConnectionChoice {}

@InputType({ description: 'The connection to connect again.' })
export class ReconnectConnectionInput extends ConnectionChoice {}

@InputType({ description: 'The connection to disconnect.' })
export class DisconnectConnectionInput extends ConnectionChoice {}

@InputType({ description: 'The connection whose deletion to cancel.' })
export class CancelConnectionDeletionInput extends ConnectionChoice {}

@InputType({ description: 'The connection to delete.' })
export class DeleteConnectionInput extends ConnectionChoice {}

@InputType({ description: 'The company that linked its account.' })
export class CompanyInput {
  @Field(() => String, { nullable: true, description: 'The name of the company.' })
  name?: string

  @Field(() => [String], { nullable: true, description: 'The US DOT numbers of the company.' })
  dotNumbers?: string[]
}

@InputType({ description: 'The public token to exchange.' })
export class ExchangePublicTokenInput {
  @Field(() => String, {
    description: 'The public token from the end of the link run. It begins with pub_tkn_.',
  })
  publicToken: string
}

@InputType({ description: 'How far back the first sync reads: a number of days, or a start time.' })
export class BackfillInput {
  @Field(() => DateTime, { nullable: true, description: 'The earliest record time.' })
  startFrom?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'The start as a number of days before now. Takes precedence over `startFrom`.',
  })
  days?: number | null
}

@InputType({ description: 'An agreement that the fleet has accepted.' })
export class AgreementInput implements AcceptedAgreement {
  @Field(() => String, {
    nullable: true,
    description: 'The type of the agreement, such as end-user-agreement.',
  })
  type?: string | null

  @Field(() => String, { description: 'The URL of the accepted agreement.' })
  agreementUrl: string

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the agreement was accepted. Default: the current time.',
  })
  acceptedAt?: number | null

  @Field(() => String, { nullable: true, description: 'The IP address of the browser.' })
  ipAddress?: string | null

  @Field(() => String, { nullable: true, description: 'The user agent of the browser.' })
  userAgent?: string | null
}

@InputType({ description: 'The account to link.' })
export class CreateConnectionInput implements ConnectionInput {
  @Field(() => String, { description: 'The code of the provider.' })
  provider: string

  @Field(() => Json, {
    description:
      'The credentials that the provider requires, as an object of strings. They are never shown again.',
  })
  credentials: unknown

  @Field(() => CompanyInput, {
    nullable: true,
    description: 'The company. Default: the company of the account.',
  })
  company?: CompanyInput | null

  @Field(() => Json, { nullable: true, description: 'Settings of the connection, as an object.' })
  options?: unknown

  @Field(() => ID, { nullable: true, description: "The caller's own identifier for the connection." })
  externalId?: string | null

  @Field(() => SyncMode, {
    nullable: true,
    description: 'When data is read from the provider. Default: AUTOMATIC.',
  })
  syncMode?: SyncMode | null

  @Field(() => BackfillInput, {
    nullable: true,
    description: 'How far back the first sync reads. Default: from the current time.',
  })
  backfill?: BackfillInput | null

  @Field(() => [String], { nullable: true, description: "The caller's own labels for the connection." })
  tags?: string[] | null

  @Field(() => [AgreementInput], {
    nullable: true,
    description: 'The agreements that the fleet has accepted.',
  })
  agreements?: AgreementInput[] | null

  @Field(() => Json, { nullable: true, description: FILTERS })
  filters?: unknown
}

@InputType({ description: 'The changes of a connection. Absent fields stay unchanged.' })
export class UpdateConnectionInput extends ConnectionChoice implements ConnectionChange {
  @Field(() => ConnectionStatus, {
    nullable: true,
    description:
      'CONNECTED, DISCONNECTED or ARCHIVED. CONNECTED requires that the provider accepts the stored credentials. For a connection that is pending deletion, CONNECTED cancels the deletion and restores the previous status.',
    deprecationReason:
      'Use reconnectConnection, disconnectConnection, archiveConnection or cancelConnectionDeletion. It will be removed in 1.0.',
  })
  status?: ConnectionStatus | null

  @Field(() => Json, {
    nullable: true,
    description: 'The settings of the connection, as an object. They replace all previous settings.',
  })
  options?: unknown

  @Field(() => CompanyInput, { nullable: true, description: 'The company. Absent fields stay unchanged.' })
  company?: CompanyInput | null

  @Field(() => ID, {
    nullable: true,
    description: "The caller's own identifier for the connection. Null removes it.",
  })
  externalId?: string | null

  @Field(() => SyncMode, { nullable: true, description: 'When data is read from the provider.' })
  syncMode?: SyncMode | null

  @Field(() => [String], {
    nullable: true,
    description: "The caller's own labels for the connection. They replace all previous labels.",
  })
  tags?: string[] | null

  @Field(() => Json, { nullable: true, description: `${FILTERS} Null removes the filters.` })
  filters?: unknown
}
