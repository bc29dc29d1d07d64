import { createHash } from 'node:crypto'
import type { Caller } from '../../auth/caller.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { isClientError, PublicError } from '../../domain/errors.ts'
import { newId } from '../../domain/ids.ts'
import { onlyConnectionOf } from '../../domain/tenant-scope.ts'
import type { Clock, Instant } from '../../domain/time.ts'
import type { Logger } from '../../platform/logging/log.ts'
import type { Registry } from '../../providers/registry.ts'
import type { Notifier } from '../../queue/notifier.ts'
import type { Database } from '../../storage/database.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import type { VisibleReads } from '../tables/visible-reads.ts'
import { type CheckPurchaseInput, validatePurchase } from './check-purchase-input.ts'
import { evidenceOf } from './evidence/evidence-of.ts'
import { litersOf } from './evidence/liters-of.ts'
import { placeOf } from './evidence/merchant-place.ts'
import { type FactsRead, readFacts } from './evidence/read-facts.ts'
import { decide, decideByStage, type DecisionByStage, PurchaseDecision } from './policy/decide.ts'
import { defaultPolicy, evaluateRules } from './policy/policy.ts'
import type { PurchaseCheck } from './purchase-check.ts'
import { findByKey, recordCheck } from './record-check.ts'
import type { Purchase } from './rules/purchase-facts.ts'

/** Dependencies of purchase commands, one set per process. */
export interface PurchaseCommandDeps {
  readonly db: Pick<Database, 'rows' | 'dialect' | 'transaction'>
  readonly registry: Registry
  readonly notifier: Pick<Notifier, 'notify'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly runningChecks: RunningChecks
  /** Time for the reads of a check, and again for its write. 250 ms by default. */
  readonly purchaseDeadlineMs?: number
}

/** Sender of the request, with the reads that exclude hidden records. */
export interface CheckRequester {
  readonly caller: Caller
  readonly visible: VisibleReads
}

export interface CheckedPurchase {
  readonly check: PurchaseCheck
  /** Whether an earlier request with the same key made the check. */
  readonly replayed: boolean
  /** Whether the check is stored. If not, a repetition may get another answer. */
  readonly recorded: boolean
}

const DEADLINE_MS = 250
const ALL_UNKNOWN: DecisionByStage = {
  v1: PurchaseDecision.UNKNOWN,
  v2: PurchaseDecision.UNKNOWN,
  v3: PurchaseDecision.UNKNOWN,
}

/** Checks that run in this process, by the hash of their key. Concurrent requests with one key share a check. */
export type RunningChecks = Map<string, Promise<CheckedPurchase>>

/**
 * Checks a purchase against stored state, and records the check with its events. It never calls a provider. If the facts
 * do not arrive within the deadline, the decision is UNKNOWN. If the database fails, or does not store the check within
 * the deadline, the decision is UNKNOWN and the check is not recorded.
 */
export async function checkPurchase(
  deps: PurchaseCommandDeps,
  requester: CheckRequester,
  input: CheckPurchaseInput,
): Promise<CheckedPurchase> {
  const { clock, runningChecks } = deps
  const now = clock.now()
  validatePurchase(input, now)
  const identity = identityOf(requester.caller, input)
  const { keyHash, inputHash } = identity
  const running = runningChecks.get(keyHash)
  if (running) {
    const shared = await running
    if (shared.recorded) return replayOf(shared.check, inputHash)
    if (shared.check.inputHash === inputHash) return shared
  }
  const own = runCheck(deps, requester, { input, identity, now })
  runningChecks.set(keyHash, own)
  try {
    return await own
  } finally {
    if (runningChecks.get(keyHash) === own) runningChecks.delete(keyHash)
  }
}

interface ValidRequest {
  readonly input: CheckPurchaseInput
  readonly identity: ReturnType<typeof identityOf>
  readonly now: Instant
}

async function runCheck(
  deps: PurchaseCommandDeps,
  { caller, visible }: CheckRequester,
  { input, identity, now }: ValidRequest,
): Promise<CheckedPurchase> {
  const { db, purchaseDeadlineMs = DEADLINE_MS } = deps
  const startedAt = performance.now()
  const purchase = purchaseOf(input, now)
  const deadline = new Deadline(purchaseDeadlineMs)
  const findEarlier = deadline.settle(findByKey(db, caller, identity.keyHash))
  const read = readFacts({ db, visible }, caller, purchase, input.phase)
  const readAll = deadline.settle(read.done)
  const earlier = await findEarlier
  if (earlier.value) return replayOf(earlier.value, identity.inputHash)
  const facts = await readAll
  for (const { error } of [earlier, facts])
    if (error) deps.log.warn({ err: error }, 'purchase check could not read its facts')
  const decided = decideOn(read, earlier.isDone && facts.isDone)
  const vehicle = read.vehicle()
  const check: PurchaseCheck = {
    id: newId('purchaseCheck', now),
    applicationId: caller.applicationId,
    connectionId: vehicle?.connectionId ?? onlyConnectionOf(caller),
    ...identity,
    idempotencyKey: input.idempotencyKey,
    vehicleId: purchase.vehicleId,
    driverId: purchase.driverId,
    cardId: purchase.cardId,
    purchasedAt: purchase.purchasedAt,
    checkedAt: now,
    phase: input.phase,
    merchant: input.merchant,
    amount: input.amount,
    fuel: input.fuel ?? null,
    metadata: input.metadata ?? null,
    ...decided,
    milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
  }
  // The field of the driver would read the filters of the connection again, past the deadline.
  const answer = read.isDriverShown() ? check : { ...check, driverId: null }
  if (!vehicle) return unrecorded(answer)
  const write = new Deadline(purchaseDeadlineMs)
  const { value: stored, error } = await write.settle(
    recordCheck(db, check, {
      ...vehicle.connection,
      providerName: deps.registry.find(vehicle.connection.provider)?.manifest.name,
    }),
  )
  if (error) deps.log.warn({ err: error }, 'purchase check could not be recorded')
  if (!stored) return unrecorded(answer)
  if (stored.id !== check.id) return replayOf(stored, identity.inputHash)
  deps.notifier.notify(OUTBOX_TOPIC)
  return { check: answer, replayed: false, recorded: true }
}

const purchaseOf = (
  { at, vehicleId, driverId, cardId, merchant, amount, fuel }: CheckPurchaseInput,
  now: Instant,
): Purchase => ({
  purchasedAt: at ?? now,
  vehicleId,
  driverId: driverId ?? null,
  cardId: cardId ?? null,
  place: placeOf(merchant),
  liters: litersOf({ amount, fuel }),
  product: fuel?.product ?? null,
})

/** Returns the hashes by which a repetition is recognized. Its caller has the same connections. */
const identityOf = ({ applicationId, connectionIds }: Caller, input: CheckPurchaseInput) => ({
  keyHash: sha256(`${applicationId} ${input.idempotencyKey}`),
  inputHash: sha256(canonicalJson([connectionIds, input])),
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Decides on what has been read. Without all facts the decision is UNKNOWN. */
function decideOn(read: FactsRead, isComplete: boolean) {
  const policy = defaultPolicy
  const facts = read.facts()
  const findings = evaluateRules(policy, facts)
  return {
    decision: isComplete ? decide(findings, policy.stage) : PurchaseDecision.UNKNOWN,
    stage: policy.stage,
    policyVersion: policy.version,
    wouldBe: isComplete ? decideByStage(findings) : ALL_UNKNOWN,
    reasons: findings,
    evidence: evidenceOf(facts, policy),
  }
}

/** Returns the check of an earlier request. Throws if its input was another one. */
function replayOf(check: PurchaseCheck, inputHash: string): CheckedPurchase {
  if (check.inputHash === inputHash) return { check, replayed: true, recorded: true }
  throw new PublicError(
    'idempotency_key_reused',
    'Another purchase has used this idempotency key. Send a new key with each new purchase.',
  )
}

const unrecorded = (check: PurchaseCheck): CheckedPurchase => ({
  check: { ...check, decision: PurchaseDecision.UNKNOWN, wouldBe: ALL_UNKNOWN },
  replayed: false,
  recorded: false,
})

/** Result of work that had to end before a deadline. Without `isDone`, it was late or failed with `error`. */
interface Settled<T> {
  readonly isDone: boolean
  readonly value?: T
  readonly error?: unknown
}

/** Deadline that several waits share. */
class Deadline {
  private readonly late: Promise<Settled<never>>

  constructor(ms: number) {
    this.late = new Promise((resolve) => {
      setTimeout(() => resolve({ isDone: false }), ms).unref()
    })
  }

  /** Waits for work until the deadline. Throws errors that reject the request itself. */
  settle<T>(work: Promise<T>): Promise<Settled<T>> {
    const settled = work.then(
      (value): Settled<T> => ({ isDone: true, value }),
      (error: unknown): Settled<T> => {
        if (isClientError(error)) throw error
        return { isDone: false, error }
      },
    )
    const outcome = Promise.race([settled, this.late])
    // It may reject before its caller waits for it.
    outcome.catch(() => undefined)
    return outcome
  }
}
