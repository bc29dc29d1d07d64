import type { SecretBox } from '../../src/auth/secret-box.ts'
import { type Id, newId } from '../../src/ids.ts'
import type { Database, Transaction } from '../../src/storage/database.ts'
import { tableOf } from '../../src/storage/table.ts'
import { Connection } from '../../src/subgraphs/connections/connection.ts'
import { LinkRun } from '../../src/subgraphs/connections/linking/link-run.ts'
import { ProviderWebhook } from '../../src/subgraphs/connections/provider-webhooks/provider-webhook.ts'
import { WebhookSecret } from '../../src/subgraphs/events/webhooks/webhook-secret.ts'
import { contextOf, sealedColumns, type SealedRow } from '../../src/subgraphs/sealed-columns.ts'
import { connectionRow, DAY, NOON } from '../factories.ts'

/** One column of one row in which something is sealed. */
export interface SealedPlace {
  readonly table: string
  readonly column: string
  readonly row: SealedRow
  /** What was sealed there first. Whatever is sealed there later begins with its name. */
  readonly text: string
}

type Owner = Id<'application'>
type Plant = (
  tx: Transaction,
  owner: Owner,
  count: number,
  sealed: (row: SealedRow) => object,
) => Promise<readonly SealedRow[]>

const plant =
  <Row extends SealedRow>(entity: new () => Row, make: (owner: Owner) => Row): Plant =>
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

/** Every table that seals something has its row here, or nothing compiles. */
const plants: Readonly<Record<(typeof sealedColumns)[number]['table'], Plant>> = {
  connections: plant(Connection, (owner) => connectionRow(owner, `con_tkn_${newId('connection')}`)),
  webhook_secrets: plant(WebhookSecret, secretRow),
  link_runs: plant(LinkRun, runRow),
  provider_webhooks: plant(ProviderWebhook, hookRow),
}

/** The beginning of whatever is sealed in a column of a row. */
export const nameOf = (column: string, { id }: SealedRow): string => `${column} of ${id}: `

/** So many rows of each table that seals something, with a text of its own in each such column. */
export async function plantSealed(
  db: Pick<Database, 'transaction'>,
  box: SecretBox,
  owner: Owner,
  count: number,
): Promise<SealedPlace[]> {
  const places: SealedPlace[] = []
  for (const { table, columns } of sealedColumns) {
    const textOf = (column: string, row: SealedRow) => `${nameOf(column, row)}as planted`
    const sealed = (row: SealedRow) =>
      Object.fromEntries(
        columns.map((column) => [
          column,
          box.seal(textOf(column, row), contextOf(`${table}.${column}`, row)),
        ]),
      )
    const rows = await db.transaction((tx) => plants[table](tx, owner, count, sealed))
    for (const { id, applicationId } of rows)
      for (const column of columns) {
        const row = { id, applicationId }
        places.push({ table, column, row, text: textOf(column, row) })
      }
  }
  return places
}

/** What is stored in a place, as it is. */
export async function sealedIn(
  db: Pick<Database, 'rows'>,
  { table, column, row }: SealedPlace,
): Promise<string> {
  const [found] = await db.rows<{ sealed: string }>(
    `SELECT \`${column}\` AS \`sealed\` FROM \`${table}\` WHERE \`id\` = ?`,
    [row.id],
  )
  if (!found) throw new Error(`${row.id} is gone`)
  return found.sealed
}

export const putIn = (db: Pick<Database, 'transaction'>, place: SealedPlace, sealed: string) =>
  db.transaction((tx) =>
    tx.run(`UPDATE \`${place.table}\` SET \`${place.column}\` = ? WHERE \`id\` = ?`, [sealed, place.row.id]),
  )

export const contextAt = ({ table, column, row }: SealedPlace): string => contextOf(`${table}.${column}`, row)
