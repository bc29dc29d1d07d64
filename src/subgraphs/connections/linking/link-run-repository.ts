import { hashOf } from '../../../auth/keys.ts'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { ProviderCredentials } from '../../../providers/provider.ts'
import type { Database, Rows, Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Instant } from '../../../domain/time.ts'
import { LinkRun } from './link-run.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'
import type { LinkLimits } from './rate-limit/link-rate-limiter.ts'

/** The rows of link runs: how one is found, and how it goes from step to step. */

const table = tableOf(LinkRun)

/** What a run forgets when it needs no credentials any more, and when others are to be given. */
export const clearedSignIn = {
  credentialsSealed: '',
  oauthStateHash: null,
  oauthBindingHash: null,
  oauthVerifierSealed: '',
  oauthExpiresAt: null,
} as const satisfies Partial<LinkRun>

/** The run that a token is of; whoever has the token may go on with it. */
export const findRunByToken = (db: Rows, token: string): Promise<LinkRun | null> =>
  findRunBy(db, 'tokenHash', hashOf(token))

/** The run that a `state` of OAuth was made for and that waits for it. */
export const findRunByState = (db: Rows, state: string): Promise<LinkRun | null> =>
  findRunBy(db, 'oauthStateHash', hashOf(state))

async function findRunBy(
  db: Rows,
  column: 'tokenHash' | 'oauthStateHash',
  hash: string,
): Promise<LinkRun | null> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`link_runs\` WHERE \`${column}\` = ?`,
    [hash],
  )
  return row ? table.toRow(row) : null
}

/** The columns that a run must still have as they are for a change to be made. */
type ExpectedRun = Pick<LinkRun, 'status'> &
  Partial<
    Pick<LinkRun, 'provider' | 'credentialsSealed' | 'checkedSince' | 'oauthStateHash' | 'signInsTried'>
  >

/** Changes a run where it still is as `held` says; says whether it was. Of several who try, one does. */
export const updateRun = (
  db: Pick<Database, 'transaction'>,
  run: Pick<LinkRun, 'id' | 'applicationId'>,
  held: ExpectedRun,
  changes: Partial<LinkRun>,
): Promise<boolean> => db.transaction((tx) => updateRunIn(tx, run, held, changes))

/** The same in a transaction that does more. */
export async function updateRunIn(
  tx: Transaction,
  { id, applicationId }: Pick<LinkRun, 'id' | 'applicationId'>,
  held: ExpectedRun,
  changes: Partial<LinkRun>,
): Promise<boolean> {
  const [sets, values] = pairsOf(changes)
  const [conditions, expected] = conditionsOf(held)
  const changed = await tx.run(
    `UPDATE \`link_runs\` SET ${sets.join(', ')} WHERE \`id\` = ? AND \`applicationId\` = ? AND ${conditions.join(' AND ')}`,
    [...values, id, applicationId, ...expected],
  )
  return changed > 0
}

function conditionsOf(held: ExpectedRun): [string[], unknown[]] {
  const all = Object.entries(held)
  return [
    all.map(([column, value]) => (value === null ? `\`${column}\` IS NULL` : `\`${column}\` = ?`)),
    all.flatMap(([, value]) => value ?? []),
  ]
}

/** Columns with a parameter each, and the values as the driver takes them. */
function pairsOf(some: Partial<LinkRun>): [string[], unknown[]] {
  const values = table.toValues(some as LinkRun)
  const columns = table.columns.filter((column) => column in some)
  return [
    columns.map((column) => `\`${column}\` = ?`),
    columns.map((column) => values[table.columns.indexOf(column)]),
  ]
}

export const isExpired = ({ expiresAt }: Pick<LinkRun, 'expiresAt'>, now: Instant): boolean =>
  expiresAt <= now

/** Whether so many sign-ins were tried in a run that none is any more. */
export const isSpent = (
  { status, signInsTried }: Pick<LinkRun, 'status' | 'signInsTried'>,
  { signInsPerRun }: Pick<LinkLimits, 'signInsPerRun'>,
): boolean => status === 'open' && (signInsTried ?? 0) >= signInsPerRun

/** Credentials are sealed for their run. */
export const encryptCredentials = (
  secrets: EnvelopeEncryption,
  run: Pick<LinkRun, 'id' | 'applicationId'>,
  given: ProviderCredentials,
): string => secrets.seal(JSON.stringify(given), encryptionContext('link_runs.credentialsSealed', run))

/** What a run was signed in with; null before that, and after. */
export const decryptCredentials = (
  secrets: Pick<EnvelopeEncryption, 'open'>,
  run: LinkRun,
): ProviderCredentials | null =>
  run.credentialsSealed === ''
    ? null
    : (JSON.parse(
        secrets.open(run.credentialsSealed, encryptionContext('link_runs.credentialsSealed', run)),
      ) as ProviderCredentials)
