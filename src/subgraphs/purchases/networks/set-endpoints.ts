import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import { PublicError } from '../../../domain/errors.ts'
import { newId } from '../../../domain/ids.ts'
import type { Clock } from '../../../domain/time.ts'
import type { Database, Transaction } from '../../../storage/database.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { tenantWhere } from '../../../storage/sql/where.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { requireMember } from '../validate-purchase.ts'
import {
  type CardNetwork,
  CardNetworkEndpoint,
  type DefaultDecision,
  sealEndpointSecret,
} from './card-network-endpoint.ts'
import { cardNetworkProtocols } from './card-network-protocols.ts'

interface EndpointDeps {
  readonly db: Pick<Database, 'transaction'>
  readonly secrets: Pick<EnvelopeEncryption, 'seal'>
  readonly clock: Clock
}

interface EndpointInput {
  readonly network: CardNetwork
  readonly defaultDecision: DefaultDecision
  /** Secret that authenticates the messages. It may be set later. */
  readonly secret?: string | null
}

/** What an update changes. Absent members stay. */
type EndpointChange = Partial<Pick<EndpointInput, 'defaultDecision' | 'secret'>>

const table = tableOf(CardNetworkEndpoint)

/** Adds an endpoint to which a card network sends its messages. */
export async function addCardNetworkEndpoint(
  { db, secrets, clock }: EndpointDeps,
  caller: Caller,
  { network, defaultDecision, secret = null }: EndpointInput,
): Promise<CardNetworkEndpoint> {
  requireSecretKey(caller, 'Endpoints of card networks')
  requireEndpointSecret(network, secret)
  const { applicationId } = caller
  const now = clock.now()
  const identity = { id: newId('cardNetworkEndpoint', now), applicationId }
  const secretSealed = secret === null ? '' : sealEndpointSecret(secrets, identity, secret)
  const endpoint = { ...identity, network, defaultDecision, secretSealed, createdAt: now }
  await db.transaction(async (tx) => {
    await tx.insert(table, [endpoint])
    await recordAudit(tx, auditedBy(caller, now), {
      action: 'card_network_endpoint.added',
      targetId: endpoint.id,
      detail: { network, defaultDecision, secretGiven: secret !== null },
    })
  })
  return endpoint
}

/** Changes the secret of an endpoint, its default decision, or both. Throws if there is no such endpoint. */
export async function updateCardNetworkEndpoint(
  { db, secrets, clock }: EndpointDeps,
  caller: Caller,
  id: CardNetworkEndpoint['id'],
  { defaultDecision, secret = null }: EndpointChange,
): Promise<CardNetworkEndpoint> {
  requireSecretKey(caller, 'Endpoints of card networks')
  return db.transaction(async (tx) => {
    const before = await lockEndpoint(tx, caller, id)
    requireEndpointSecret(before.network, secret)
    const changed: CardNetworkEndpoint = {
      ...before,
      defaultDecision: defaultDecision ?? before.defaultDecision,
      secretSealed: secret === null ? before.secretSealed : sealEndpointSecret(secrets, before, secret),
    }
    await tx.run(
      'UPDATE `card_network_endpoints` SET `defaultDecision` = ?, `secretSealed` = ? WHERE `id` = ? AND `applicationId` = ?',
      [changed.defaultDecision, changed.secretSealed, id, caller.applicationId],
    )
    await recordAudit(tx, auditedBy(caller, clock.now()), {
      action: 'card_network_endpoint.updated',
      targetId: id,
      detail: {
        defaultDecision: changed.defaultDecision,
        secretGiven: secret !== null,
        before: { defaultDecision: before.defaultDecision },
      },
    })
    return changed
  })
}

/** Removes an endpoint: its messages are refused from then on. Throws if there is no such endpoint. */
export async function removeCardNetworkEndpoint(
  { db, clock }: Pick<EndpointDeps, 'db' | 'clock'>,
  caller: Caller,
  id: CardNetworkEndpoint['id'],
): Promise<void> {
  requireSecretKey(caller, 'Endpoints of card networks')
  await db.transaction(async (tx) => {
    const { network, defaultDecision } = await lockEndpoint(tx, caller, id)
    await tx.run('DELETE FROM `card_network_endpoints` WHERE `id` = ? AND `applicationId` = ?', [
      id,
      caller.applicationId,
    ])
    await recordAudit(tx, auditedBy(caller, clock.now()), {
      action: 'card_network_endpoint.removed',
      targetId: id,
      detail: { network, defaultDecision },
    })
  })
}

function requireEndpointSecret(network: CardNetwork, secret: string | null): void {
  const { secretFormat, secretHint } = cardNetworkProtocols[network]
  requireMember(secret === null || secretFormat.test(secret), 'secret', secretHint)
}

async function lockEndpoint(
  tx: Transaction,
  caller: Caller,
  id: CardNetworkEndpoint['id'],
): Promise<CardNetworkEndpoint> {
  const where = tenantWhere(caller)
  const [row] = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`card_network_endpoints\` WHERE ${where.sql} AND \`id\` = ?${forUpdate(tx.dialect)}`,
    [...where.parameters, id],
  )
  if (!row) throw new PublicError('not_found', `The application has no endpoint ${id}.`)
  return table.toRow(row)
}
