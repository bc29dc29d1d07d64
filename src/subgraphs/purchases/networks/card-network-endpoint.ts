import { Entity } from 'typeorm'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  LongTextColumn,
  TextColumn,
} from '../../../storage/sql/columns.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'

/** Card networks whose messages the service understands. */
export const cardNetworks = ['stripe', 'marqeta'] as const
export type CardNetwork = (typeof cardNetworks)[number]

/** What an endpoint answers if a check does not decide. */
export const defaultDecisions = ['approve', 'decline'] as const
export type DefaultDecision = (typeof defaultDecisions)[number]

/** Endpoint of an application to which a card network sends authorizations and captures. */
@Entity('card_network_endpoints')
@Indexes(['applicationId', 'id'])
export class CardNetworkEndpoint {
  @KeyColumn()
  id: Id<'cardNetworkEndpoint'>

  @IdColumn()
  applicationId: Id<'application'>

  @TextColumn()
  network: CardNetwork

  @TextColumn()
  defaultDecision: DefaultDecision

  /** Secret that authenticates the messages; empty until it is set. Without it, every message is refused. */
  @LongTextColumn()
  secretSealed: string

  @InstantColumn()
  createdAt: Instant
}

type SealedEndpoint = Pick<CardNetworkEndpoint, 'id' | 'applicationId'>

export const sealEndpointSecret = (
  secrets: Pick<EnvelopeEncryption, 'seal'>,
  endpoint: SealedEndpoint,
  secret: string,
): string => secrets.seal(secret, contextOf(endpoint))

/** Decrypts the secret of an endpoint. Empty until one is set. */
export const openEndpointSecret = (
  secrets: Pick<EnvelopeEncryption, 'open'>,
  endpoint: Pick<CardNetworkEndpoint, 'id' | 'applicationId' | 'secretSealed'>,
): string => (endpoint.secretSealed === '' ? '' : secrets.open(endpoint.secretSealed, contextOf(endpoint)))

const contextOf = (endpoint: SealedEndpoint): string =>
  encryptionContext('card_network_endpoints.secretSealed', endpoint)
