import { Field, Float, ID, InputType } from 'type-graphql'
import { DateTime, Json } from '../schema/scalars.ts'
import { ConnectionStatus, SyncMode } from './connection.ts'
import type { AcceptedAgreement } from './lifecycle/accept-agreements.ts'
import type { ConnectionInput } from './lifecycle/link-connection.ts'
import type { ConnectionChange } from './update-connection.ts'

const WHICH = 'Which connection; the one of the connection token needs no name.'
const FILTERS =
  'Which vehicles and drivers are shown, as {"vehicles": {"status": "active", "includeIds": [], "excludeIds": []}, "drivers": …}. Ids that are included decide alone; else the status, then the ids that are excluded.'

@InputType({ description: 'One connection.' })
export class ConnectionChoice {
  @Field(() => ID, { nullable: true, description: WHICH })
  connectionId?: string | null
}

@InputType({ description: 'Which connection to archive.' })
export class ArchiveConnectionInput extends ConnectionChoice {}

@InputType({ description: 'Which connection to delete.' })
export class DeleteConnectionInput extends ConnectionChoice {}

@InputType({ description: 'The company that linked its account.' })
export class CompanyInput {
  @Field(() => String, { nullable: true, description: 'What it is called.' })
  name?: string

  @Field(() => [String], { nullable: true, description: 'Its US DOT numbers.' })
  dotNumbers?: string[]
}

@InputType({ description: 'A public token to exchange.' })
export class ExchangePublicTokenInput {
  @Field(() => String, { description: 'What the link flow ended in: pub_tkn_ and more.' })
  publicToken: string
}

@InputType({ description: 'How far back the first sync reads: so many days, or from a moment.' })
export class BackfillInput {
  @Field(() => DateTime, { nullable: true, description: 'The earliest record time.' })
  startFrom?: number | null

  @Field(() => Float, { nullable: true, description: 'So many days before now; wins over `startFrom`.' })
  days?: number | null
}

@InputType({ description: 'Something that the fleet agreed to.' })
export class AgreementInput implements AcceptedAgreement {
  @Field(() => String, { nullable: true, description: 'The kind of agreement, such as end-user-agreement.' })
  type?: string | null

  @Field(() => String, { description: 'The text that was accepted.' })
  agreementUrl: string

  @Field(() => DateTime, { nullable: true, description: 'When it was accepted; now where it is absent.' })
  acceptedAt?: number | null

  @Field(() => String, { nullable: true, description: 'From which address.' })
  ipAddress?: string | null

  @Field(() => String, { nullable: true, description: 'With which browser.' })
  userAgent?: string | null
}

@InputType({ description: 'An account to link.' })
export class CreateConnectionInput implements ConnectionInput {
  @Field(() => String, { description: "The provider's code." })
  provider: string

  @Field(() => Json, {
    description: 'What the provider asks for, as an object of texts. It is never shown again.',
  })
  credentials: unknown

  @Field(() => CompanyInput, { nullable: true, description: "The account's own where it is absent." })
  company?: CompanyInput | null

  @Field(() => Json, { nullable: true, description: 'Settings, an object of any members.' })
  options?: unknown

  @Field(() => ID, { nullable: true, description: "The caller's own identifier." })
  externalId?: string | null

  @Field(() => SyncMode, { nullable: true, description: 'AUTOMATIC where it is absent.' })
  syncMode?: SyncMode | null

  @Field(() => BackfillInput, { nullable: true, description: 'From now on where it is absent.' })
  backfill?: BackfillInput | null

  @Field(() => [String], { nullable: true, description: "The caller's own labels." })
  tags?: string[] | null

  @Field(() => [AgreementInput], { nullable: true, description: 'What the fleet has agreed to.' })
  agreements?: AgreementInput[] | null

  @Field(() => Json, { nullable: true, description: FILTERS })
  filters?: unknown
}

@InputType({ description: 'What of a connection is to change; what is absent stays.' })
export class UpdateConnectionInput extends ConnectionChoice implements ConnectionChange {
  @Field(() => ConnectionStatus, {
    nullable: true,
    description:
      'CONNECTED, DISCONNECTED or ARCHIVED. CONNECTED needs credentials that the provider accepts, and calls a deletion off: the connection then has the state of before.',
  })
  status?: ConnectionStatus | null

  @Field(() => Json, { nullable: true, description: 'Settings, all of them: an object of any members.' })
  options?: unknown

  @Field(() => CompanyInput, { nullable: true, description: 'What is absent of it stays.' })
  company?: CompanyInput | null

  @Field(() => ID, { nullable: true, description: "The caller's own identifier; null takes it away." })
  externalId?: string | null

  @Field(() => SyncMode, { nullable: true, description: 'When its data is read.' })
  syncMode?: SyncMode | null

  @Field(() => [String], { nullable: true, description: "The caller's own labels, all of them." })
  tags?: string[] | null

  @Field(() => Json, { nullable: true, description: `${FILTERS} Null takes them away.` })
  filters?: unknown
}
