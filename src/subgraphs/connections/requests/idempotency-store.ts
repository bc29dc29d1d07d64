import { createHmac, randomUUID } from 'node:crypto'
import { sha256 } from '../../../domain/sha256.ts'
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
  /** Default: `KEY_LEASE_MS`. */
  readonly leaseMs?: number
}

/** Time for which an answer is kept. */
export const ANSWER_MS = 24 * 3_600_000
/** Lease of a running request. It is renewed while the request runs, so it ends only after the process has died. */
export const KEY_LEASE_MS = 60_000
const RENEWALS_PER_LEASE = 3
/** Largest answer that is stored, in characters. Only responses of providers can be larger. */
export const MAX_ANSWER_LENGTH = 1024 * 1024

const table = tableOf(IdempotencyKey)

export function createIdempotencyStore(deps: StoreDeps): IdempotencyStore {
  const { db, secrets, clock, leaseMs = KEY_LEASE_MS } = deps
  return {
    async begin({ applicationId, connectionId, key, content }) {
      const fingerprints = secrets
        .derive('idempotency')
        .map((secret) => createHmac('sha256', secret).update(content).digest('base64url'))
      const own: IdempotencyKey = {
        id: sha256(`${applicationId} ${key}`),
        applicationId,
        connectionId,
        owner: randomUUID(),
        fingerprint: fingerprints[0] ?? '',
        answerSealed: null,
        expiresAt: clock.now() + leaseMs,
      }
      const found = await db.transaction((tx) => claimOrFind(tx, own, clock), 'idempotent')
      if (found.owner === own.owner) return { state: 'claimed', claim: claimOf(deps, own) }
      if (!fingerprints.includes(found.fingerprint)) return { state: 'reused' }
      const { answerSealed } = found
      if (answerSealed === null) return { state: 'running' }
      const answer = answerSealed === '' ? null : secrets.open(answerSealed, contextOf(own))
      return { state: 'answered', answer }
    },
  }
}

const isRunning = '`answerSealed` IS NULL'

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

/** Returns the claim of a row, and renews its lease. It changes nothing after another request has taken the key. */
function claimOf({ db, secrets, clock, leaseMs = KEY_LEASE_MS }: StoreDeps, own: IdempotencyKey): KeyClaim {
  const change = (sql: string, values: readonly unknown[] = []) =>
    db.transaction(async (tx) => {
      await tx.run(`${sql} WHERE \`id\` = ? AND \`applicationId\` = ? AND \`owner\` = ? AND ${isRunning}`, [
        ...values,
        own.id,
        own.applicationId,
        own.owner,
      ])
    }, 'idempotent')
  // A renewal that fails is tried again before the lease ends.
  const renew = () =>
    change('UPDATE `idempotency_keys` SET `expiresAt` = ?', [clock.now() + leaseMs]).catch(() => undefined)
  const renewals = setInterval(renew, leaseMs / RENEWALS_PER_LEASE).unref()
  return {
    keep(answer) {
      clearInterval(renewals)
      const sealed = answer.length > MAX_ANSWER_LENGTH ? '' : secrets.seal(answer, contextOf(own))
      const expiresAt = clock.now() + ANSWER_MS
      return change('UPDATE `idempotency_keys` SET `answerSealed` = ?, `expiresAt` = ?', [sealed, expiresAt])
    },
    release() {
      clearInterval(renewals)
      return change('DELETE FROM `idempotency_keys`')
    },
  }
}
