import type { EnvelopeEncryption } from '../../../src/auth/envelope-encryption.ts'
import { type Id, newId } from '../../../src/domain/ids.ts'
import type { Database, Transaction } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { LinkRun } from '../../../src/subgraphs/connections/linking/link-run.ts'
import { ProviderWebhook } from '../../../src/subgraphs/connections/provider-webhooks/provider-webhook.ts'
import { IdempotencyKey } from '../../../src/subgraphs/connections/requests/idempotency-key.ts'
import { WebhookEndpoint } from '../../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { WebhookSecret } from '../../../src/subgraphs/events/webhooks/webhook-secret.ts'
import { CardNetworkEndpoint } from '../../../src/subgraphs/purchases/networks/card-network-endpoint.ts'
import {
  encryptionContextByName,
  encryptedColumns,
  type EncryptedRow,
} from '../../../src/subgraphs/tables/encrypted-columns.ts'
import { connectionRow, DAY, NOON } from '../factories.ts'
import { endpointRow } from '../webhooks/delivery-harness.ts'

/** An encrypted column of a row. */
export interface SealedPlace {
  readonly table: string
  readonly column: string
  readonly row: EncryptedRow
  /** First encrypted text. Later texts start with its name. */
  readonly text: string
}

type Owner = Id<'application'>
type SealedSeed = (
  tx: Transaction,
  owner: Owner,
  count: number,
  sealed: (row: EncryptedRow) => object,
) => Promise<readonly EncryptedRow[]>

const seed =
  <Row extends EncryptedRow>(entity: new () => Row, make: (owner: Owner) => Row): SealedSeed =>
  async (tx, owner, count, sealed) => {
    const rows = Array.from({ length: count }, () => make(owner))
    await tx.insert(
      tableOf(entity),
      rows.map((row) => ({ ...row, ...sealed(row) })),
    )
    return rows
  }

const secretRow = (applicationId: Owner): WebhookSecret => ({
  id: newId('webhookSecret'),
  applicationId,
  endpointId: newId('webhookEndpoint'),
  secretSealed: '',
  createdAt: NOON,
  expiresAt: null,
})

const runRow = (applicationId: Owner): LinkRun => {
  const id = newId('linkRun')
  return {
    id,
    applicationId,
    connectionId: null,
    isAgain: 0,
    tokenHash: `hash-of-${id}`,
    settings: {},
    status: 'open',
    provider: 'sandbox',
    signIn: 'key',
    credentialsSealed: '',
    problem: null,
    checkedSince: null,
    signInsTried: 0,
    agreedAt: null,
    ipAddress: null,
    userAgent: null,
    oauthStateHash: null,
    oauthBindingHash: null,
    oauthVerifierSealed: '',
    oauthExpiresAt: null,
    createdAt: NOON,
    expiresAt: NOON + DAY,
  }
}

const hookRow = (applicationId: Owner): ProviderWebhook => {
  const id = newId('providerWebhook')
  return {
    id,
    applicationId,
    connectionId: newId('connection'),
    tokenHash: `hash-of-${id}`,
    tokenSealed: '',
    secretSealed: '',
    createdAt: NOON,
    syncDueAt: null,
    pollDueAt: null,
    syncedAt: null,
    polledAt: null,
  }
}

const keyRow = (applicationId: Owner): IdempotencyKey => ({
  id: newId('loggedRequest'),
  applicationId,
  connectionId: null,
  owner: 'run',
  fingerprint: '',
  answerSealed: '',
  expiresAt: NOON + DAY,
})

const networkRow = (applicationId: Owner): CardNetworkEndpoint => ({
  id: newId('cardNetworkEndpoint'),
  applicationId,
  network: 'stripe',
  defaultDecision: 'approve',
  secretSealed: '',
  createdAt: NOON,
})

/** Seeds by table. A table with encrypted columns and no seed is a type error. */
const seeds: Readonly<Record<(typeof encryptedColumns)[number]['table'], SealedSeed>> = {
  connections: seed(Connection, (owner) => connectionRow(owner, `con_tkn_${newId('connection')}`)),
  webhook_endpoints: seed(WebhookEndpoint, (owner) => endpointRow(owner, 'https://receiver.example.com')),
  webhook_secrets: seed(WebhookSecret, secretRow),
  link_runs: seed(LinkRun, runRow),
  provider_webhooks: seed(ProviderWebhook, hookRow),
  idempotency_keys: seed(IdempotencyKey, keyRow),
  card_network_endpoints: seed(CardNetworkEndpoint, networkRow),
}

/** Prefix of every text that is encrypted in a column of a row. */
export const nameOf = (column: string, { id }: EncryptedRow): string => `${column} of ${id}: `

/** Stores `count` rows in each table with encrypted columns. The text of each encrypted column is unique. */
export async function seedSealed(
  db: Pick<Database, 'transaction'>,
  encryption: EnvelopeEncryption,
  owner: Owner,
  count: number,
): Promise<SealedPlace[]> {
  const places: SealedPlace[] = []
  for (const { table, columns } of encryptedColumns) {
    const textOf = (column: string, row: EncryptedRow) => `${nameOf(column, row)}as planted`
    const sealed = (row: EncryptedRow) =>
      Object.fromEntries(
        columns.map((column) => [
          column,
          encryption.seal(textOf(column, row), encryptionContextByName(`${table}.${column}`, row)),
        ]),
      )
    const rows = await db.transaction((tx) => seeds[table](tx, owner, count, sealed))
    for (const { id, applicationId } of rows)
      for (const column of columns) {
        const row = { id, applicationId }
        places.push({ table, column, row, text: textOf(column, row) })
      }
  }
  return places
}

/** Returns the stored value of a column, encrypted. */
export async function sealedIn(
  db: Pick<Database, 'rows'>,
  { table, column, row }: SealedPlace,
): Promise<string> {
  const [found] = await db.rows<{ sealed: string }>(
    `SELECT \`${column}\` AS \`sealed\` FROM \`${table}\` WHERE \`id\` = ?`,
    [row.id],
  )
  if (!found) throw new Error(`row ${row.id} is missing`)
  return found.sealed
}

export const putIn = (db: Pick<Database, 'transaction'>, place: SealedPlace, sealed: string) =>
  db.transaction((tx) =>
    tx.run(`UPDATE \`${place.table}\` SET \`${place.column}\` = ? WHERE \`id\` = ?`, [sealed, place.row.id]),
  )

export const contextAt = ({ table, column, row }: SealedPlace): string =>
  encryptionContextByName(`${table}.${column}`, row)
