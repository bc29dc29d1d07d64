import { hashKey } from '../../../auth/keys.ts'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { ProviderCredentials } from '../../../providers/provider.ts'
import type { Database, Rows, Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Instant } from '../../../domain/time.ts'
import { LinkRun } from './link-run.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'
import type { LinkLimits } from './rate-limit/link-rate-limiter.ts'

// Finds and updates the rows of link runs.

const table = tableOf(LinkRun)

/** Cleared credential columns: for a run that needs no credentials any more, or before it gets new ones. */
export const clearedSignIn = {
  credentialsSealed: '',
  oauthStateHash: null,
  oauthBindingHash: null,
  oauthVerifierSealed: '',
  oauthExpiresAt: null,
} as const satisfies Partial<LinkRun>

/** Finds the run of a token. Possession of the token authorizes all actions on the run. */
export const findRunByToken = (db: Rows, token: string): Promise<LinkRun | null> =>
  findRunBy(db, 'tokenHash', hashKey(token))

/** Finds the run that waits for an OAuth `state`. */
export const findRunByState = (db: Rows, state: string): Promise<LinkRun | null> =>
  findRunBy(db, 'oauthStateHash', hashKey(state))

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

/** Columns whose current values are the precondition of an update. */
type ExpectedRun = Pick<LinkRun, 'status'> &
  Partial<
    Pick<LinkRun, 'provider' | 'credentialsSealed' | 'checkedSince' | 'oauthStateHash' | 'signInsTried'>
  >

/**
 * Updates a run if it still has the expected values, and returns whether it did. Of concurrent updates that change an
 * expected value, only the first succeeds.
 */
export const updateRun = (
  db: Pick<Database, 'transaction'>,
  run: Pick<LinkRun, 'id' | 'applicationId'>,
  expected: ExpectedRun,
  changes: Partial<LinkRun>,
): Promise<boolean> => db.transaction((tx) => updateRunIn(tx, run, expected, changes))

/** Like `updateRun`, within a transaction. */
export async function updateRunIn(
  tx: Transaction,
  { id, applicationId }: Pick<LinkRun, 'id' | 'applicationId'>,
  expected: ExpectedRun,
  changes: Partial<LinkRun>,
): Promise<boolean> {
  const [assignments, values] = assignmentsOf(changes)
  const [conditions, expectedValues] = conditionsOf(expected)
  const changed = await tx.run(
    `UPDATE \`link_runs\` SET ${assignments.join(', ')} WHERE \`id\` = ? AND \`applicationId\` = ? AND ${conditions.join(' AND ')}`,
    [...values, id, applicationId, ...expectedValues],
  )
  return changed > 0
}

/** Returns an SQL condition for each expected column, and the parameters of the conditions. */
function conditionsOf(expected: ExpectedRun): [string[], unknown[]] {
  const entries = Object.entries(expected)
  return [
    entries.map(([column, value]) => (value === null ? `\`${column}\` IS NULL` : `\`${column}\` = ?`)),
    entries.flatMap(([, value]) => value ?? []),
  ]
}

/** Returns an SQL assignment for each changed column, and the parameters of the assignments. */
function assignmentsOf(changes: Partial<LinkRun>): [string[], unknown[]] {
  const values = table.toValues(changes as LinkRun)
  const columns = table.columns.filter((column) => column in changes)
  return [
    columns.map((column) => `\`${column}\` = ?`),
    columns.map((column) => values[table.columns.indexOf(column)]),
  ]
}

export const isExpired = ({ expiresAt }: Pick<LinkRun, 'expiresAt'>, now: Instant): boolean =>
  expiresAt <= now

/** Whether a run has used up its sign-in attempts. */
export const hasUsedUpSignIns = (
  { status, signInsTried }: Pick<LinkRun, 'status' | 'signInsTried'>,
  { signInsPerRun }: Pick<LinkLimits, 'signInsPerRun'>,
): boolean => status === 'open' && (signInsTried ?? 0) >= signInsPerRun

/** Encrypts credentials for their run: the ciphertext is bound to the id of the run. */
export const encryptCredentials = (
  secrets: EnvelopeEncryption,
  run: Pick<LinkRun, 'id' | 'applicationId'>,
  credentials: ProviderCredentials,
): string => secrets.seal(JSON.stringify(credentials), encryptionContext('link_runs.credentialsSealed', run))

/** Decrypts the credentials of a run. Null before the sign-in and after the end of the run. */
export const decryptCredentials = (
  secrets: Pick<EnvelopeEncryption, 'open'>,
  run: LinkRun,
): ProviderCredentials | null =>
  run.credentialsSealed === ''
    ? null
    : (JSON.parse(
        secrets.open(run.credentialsSealed, encryptionContext('link_runs.credentialsSealed', run)),
      ) as ProviderCredentials)
