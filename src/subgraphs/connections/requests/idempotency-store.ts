import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import type { Id } from '../../../domain/ids.ts'
import type { Clock } from '../../../domain/time.ts'
import type { Database, Transaction } from '../../../storage/database.ts'
import { forUpdate, insertIfAbsentSql } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'
import { IdempotencyKey } from './idempotency-key.ts'

/** Request with an idempotency key. */
export interface KeyedRequest {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'> | null
  readonly key: string
  /** Text that differs between requests that are not the same. */
  readonly content: string
}

/** Claim on a key by the request that runs. */
export interface KeyClaim {
  /** Stores the answer. The same request then gets it for a day. */
  keep(answer: string): Promise<void>
  /** Releases the key, so that the same request can run again. */
  release(): Promise<void>
}

/**
 * State of a key when a request begins. `claimed`: the request runs. `answered`: the same request has run; its answer is
 * null if it is too large to store. `running`: the same request runs now. `reused`: the key belongs to another request.
 */
export type KeyState =
  | { readonly state: 'claimed'; readonly claim: KeyClaim }
  | { readonly state: 'answered'; readonly answer: string | null }
  | { readonly state: 'running' | 'reused' }

/** Keys of all gateways, in the database that they share. */
export interface IdempotencyStore {
  begin(request: KeyedRequest): Promise<KeyState>
}

interface StoreDeps {
  readonly db: Pick<Database, 'transaction' | 'dialect'>
  readonly secrets: EnvelopeEncryption
  readonly clock: Clock
}

/** Time for which an answer is kept. */
export const ANSWER_MS = 24 * 3_600_000
/**
 * Time after which the key of a request without an answer is free again, because its process has probably died. No
 * mutation takes this long.
 */
export const LEASE_MS = 120_000
/** Largest answer that is stored, in characters. Only responses of providers can be larger. */
export const MAX_ANSWER_LENGTH = 1024 * 1024

const table = tableOf(IdempotencyKey)

export function createIdempotencyStore({ db, secrets, clock }: StoreDeps): IdempotencyStore {
  return {
    async begin({ applicationId, connectionId, key, content }) {
      const fingerprints = secrets
        .derive('idempotency')
        .map((secret) => createHmac('sha256', secret).update(content).digest('base64url'))
      const own: IdempotencyKey = {
        id: createHash('sha256').update(`${applicationId} ${key}`).digest('base64url'),
        applicationId,
        connectionId,
        owner: randomUUID(),
        fingerprint: fingerprints[0] ?? '',
        answerSealed: null,
        expiresAt: clock.now() + LEASE_MS,
      }
      const found = await db.transaction((tx) => claimOrFind(tx, own, clock), 'idempotent')
      if (found.owner === own.owner) return { state: 'claimed', claim: claimOf({ db, secrets, clock }, own) }
      if (!fingerprints.includes(found.fingerprint)) return { state: 'reused' }
      const { answerSealed } = found
      if (answerSealed === null) return { state: 'running' }
      const answer = answerSealed === '' ? null : secrets.open(answerSealed, contextOf(own))
      return { state: 'answered', answer }
    },
  }
}

const contextOf = (row: IdempotencyKey): string => encryptionContext('idempotency_keys.answerSealed', row)

/** Inserts the row, or replaces one that has expired. Returns the row that then has the key. */
async function claimOrFind(tx: Transaction, own: IdempotencyKey, clock: Clock): Promise<IdempotencyKey> {
  await tx.run(insertIfAbsentSql(tx.dialect, table.name, table.columns, 'id'), table.toValues(own))
  const [found = own] = await tx.rows<IdempotencyKey>(
    `SELECT ${table.selected} FROM \`idempotency_keys\` WHERE \`id\` = ? AND \`applicationId\` = ?${forUpdate(tx.dialect)}`,
    [own.id, own.applicationId],
  )
  if (found.owner === own.owner || Number(found.expiresAt) > clock.now()) return found
  await tx.upsert(table, [own])
  return own
}

/** Returns the claim of a row. It changes nothing after another request has taken the key. */
function claimOf({ db, secrets, clock }: StoreDeps, own: IdempotencyKey): KeyClaim {
  const change = (sql: string, values: readonly unknown[] = []) =>
    db.transaction(async (tx) => {
      await tx.run(`${sql} WHERE \`id\` = ? AND \`applicationId\` = ? AND \`owner\` = ?`, [
        ...values,
        own.id,
        own.applicationId,
        own.owner,
      ])
    }, 'idempotent')
  return {
    keep(answer) {
      const sealed = answer.length > MAX_ANSWER_LENGTH ? '' : secrets.seal(answer, contextOf(own))
      const expiresAt = clock.now() + ANSWER_MS
      return change('UPDATE `idempotency_keys` SET `answerSealed` = ?, `expiresAt` = ?', [sealed, expiresAt])
    },
    release: () => change('DELETE FROM `idempotency_keys`'),
  }
}
