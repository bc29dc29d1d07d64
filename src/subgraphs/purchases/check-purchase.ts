import type { Caller } from '../../auth/caller.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { PublicError } from '../../domain/errors.ts'
import { newId } from '../../domain/ids.ts'
import { sha256 } from '../../domain/sha256.ts'
import { onlyConnectionOf } from '../../domain/tenant-scope.ts'
import type { Clock, Instant } from '../../domain/time.ts'
import type { Logger } from '../../platform/logging/log.ts'
import type { Registry } from '../../providers/registry.ts'
import type { Notifier } from '../../queue/notifier.ts'
import type { Database } from '../../storage/database.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import type { VisibleRequester } from '../tables/visible-reads.ts'
import { type CardHolder, findCardHolder } from './cards/find-card.ts'
import type { CheckPurchaseInput } from './check-purchase-input.ts'
import { deadlineOf, type DeadlineSetting, logFailure, type Settled } from './deadline.ts'
import { evidenceOf, merchantEvidenceIn } from './evidence/evidence-of.ts'
import { litersOf } from './evidence/liters-of.ts'
import { placeOf } from './evidence/merchant-place.ts'
import { type FactsRead, readFacts, readNothing } from './evidence/read-facts.ts'
import { decide, decideByStage, type DecisionByStage, PurchaseDecision } from './policy/decide.ts'
import { defaultPolicy, evaluateRules } from './policy/policy.ts'
import type { PurchaseCheck } from './purchase-check.ts'
import { firstReconciliation } from './reconciliation/schedule.ts'
import { findByKey, keyHashOf, recordCheck } from './record-check.ts'
import type { Purchase } from './rules/purchase-facts.ts'
import { validatePurchase } from './validate-purchase.ts'

/** Dependencies of purchase commands, one set per process. */
export interface PurchaseCommandDeps extends DeadlineSetting {
  readonly db: Pick<Database, 'rows' | 'dialect' | 'transaction'>
  readonly registry: Registry
  readonly notifier: Pick<Notifier, 'notify'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly runningChecks: RunningChecks
}

export interface CheckedPurchase {
  readonly check: PurchaseCheck
  /** Whether an earlier request with the same key made the check. */
  readonly replayed: boolean
  /** Whether the check is stored. If not, a repetition may get another answer. */
  readonly recorded: boolean
}

const ALL_UNKNOWN: DecisionByStage = {
  v1: PurchaseDecision.UNKNOWN,
  v2: PurchaseDecision.UNKNOWN,
  v3: PurchaseDecision.UNKNOWN,
}

interface RunningCheck {
  readonly inputHash: string
  readonly checked: Promise<CheckedPurchase>
}

/** Checks that run in this process, by the hash of their key. Concurrent equal requests share a check. */
export type RunningChecks = Map<string, RunningCheck>

/**
 * Checks a purchase against stored state, and records the check with its events. It never calls a provider. If the facts
 * do not arrive within the deadline, the decision is UNKNOWN. If the database fails, or does not store the check within
 * the deadline, the decision is UNKNOWN and the check is not recorded.
 */
export async function checkPurchase(
  deps: PurchaseCommandDeps,
  requester: VisibleRequester,
  input: CheckPurchaseInput,
  /** Check of the authorization that the purchase captures. */
  authorizationCheckId: PurchaseCheck['authorizationCheckId'] = null,
): Promise<CheckedPurchase> {
  const { clock, runningChecks } = deps
  const now = clock.now()
  validatePurchase(input, now)
  const identity = identityOf(requester.caller, input, authorizationCheckId)
  const { keyHash, inputHash } = identity
  const running = runningChecks.get(keyHash)
  if (running?.inputHash === inputHash) {
    const shared = await running.checked
    return { ...shared, replayed: shared.recorded }
  }
  // The other input may be refused. If not, its check is stored before this one looks for it.
  await running?.checked.catch(() => undefined)
  const own = {
    inputHash,
    checked: runCheck(deps, requester, { input, authorizationCheckId, identity, now }),
  }
  runningChecks.set(keyHash, own)
  try {
    return await own.checked
  } finally {
    if (runningChecks.get(keyHash) === own) runningChecks.delete(keyHash)
  }
}

interface ValidRequest {
  readonly input: CheckPurchaseInput
  readonly authorizationCheckId: PurchaseCheck['authorizationCheckId']
  readonly identity: ReturnType<typeof identityOf>
  readonly now: Instant
}

async function runCheck(
  deps: PurchaseCommandDeps,
  { caller, visible }: VisibleRequester,
  request: ValidRequest,
): Promise<CheckedPurchase> {
  const { db } = deps
  const { input, identity, now } = request
  const startedAt = performance.now()
  const deadline = deadlineOf(deps)
  const findEarlier = deadline.settle(findByKey(db, caller, identity.keyHash))
  const holder = await deadline.settle(holderOf({ db, visible }, caller, request, findEarlier))
  const purchase = await purchaseOf(request, holder.value ?? UNKNOWN_HOLDER)
  const read = holder.value
    ? readFacts({ db, visible }, caller, { purchase, merchant: input.merchant, phase: input.phase, now })
    : readNothing(purchase)
  const readAll = deadline.settle(read.done)
  const earlier = await findEarlier
  if (earlier.value) {
    await deadline.settle(read.visibility)
    return replayOf(earlier.value, identity, read)
  }
  const facts = await readAll
  for (const outcome of [earlier, holder, facts]) logFailure(deps.log, outcome, 'purchase check read failed')
  const vehicle = read.vehicle()
  const check: PurchaseCheck = {
    ...checkOf(caller, request, purchase),
    connectionId: vehicle?.connectionId ?? onlyConnectionOf(caller),
    ...decideOn(read, earlier.isDone && holder.isDone && facts.isDone),
    reconcileAt: firstReconciliation(purchase, input.phase),
    reconciliation: null,
    milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
  }
  // The field of the driver would read the filters of the connection again, past the deadline.
  const answer = read.isDriverShown() ? check : { ...check, driverId: null }
  if (!vehicle) return unrecorded(answer)
  const write = deadlineOf(deps)
  const written = await write.settle(
    recordCheck(db, check, {
      published: answer,
      connection: {
        ...vehicle.connection,
        providerName: deps.registry.find(vehicle.connection.provider)?.manifest.name,
      },
      isLate: () => write.isOver,
    }),
  )
  logFailure(deps.log, written, 'purchase check write failed')
  const { value: stored } = written
  if (!stored) return unrecorded(answer)
  if (stored.id !== check.id) return replayOf(stored, identity, read)
  deps.notifier.notify(OUTBOX_TOPIC)
  return { check: answer, replayed: false, recorded: true }
}

/** Stands for a card whose assignment was not read in time. Its check is not recorded. */
const UNKNOWN_HOLDER: CardHolder = { vehicleId: '', driverId: null }

/** Returns the vehicle and the driver of a purchase: those of the input, of the earlier check, or of the card. */
async function holderOf(
  reads: Parameters<typeof findCardHolder>[0],
  caller: Caller,
  { input: { vehicleId, driverId, cardId, at }, now }: ValidRequest,
  findEarlier: Promise<Settled<PurchaseCheck | undefined>>,
): Promise<CardHolder> {
  if (vehicleId != null) return { vehicleId, driverId: driverId ?? null }
  const earlier = (await findEarlier).value
  if (earlier) return earlier
  const holder = await findCardHolder(reads, caller, { cardId: cardId ?? '', purchasedAt: at ?? now, now })
  return { ...holder, driverId: driverId ?? holder.driverId }
}

/** Returns what a check keeps of its request. */
const checkOf = (
  { applicationId }: Caller,
  { input, authorizationCheckId, identity, now }: ValidRequest,
  purchase: Purchase,
) => ({
  id: newId('purchaseCheck', now),
  applicationId,
  ...identity,
  idempotencyKey: input.idempotencyKey,
  vehicleId: purchase.vehicleId,
  driverId: purchase.driverId,
  cardId: purchase.cardId,
  purchasedAt: purchase.purchasedAt,
  checkedAt: now,
  phase: input.phase,
  authorizationId: input.authorizationId ?? null,
  authorizationCheckId,
  merchant: input.merchant,
  amount: input.amount,
  fuel: input.fuel ?? null,
  metadata: input.metadata ?? null,
})

const purchaseOf = async (
  { input, authorizationCheckId, now }: ValidRequest,
  { vehicleId, driverId }: CardHolder,
): Promise<Purchase> => ({
  purchasedAt: input.at ?? now,
  vehicleId,
  driverId,
  cardId: input.cardId ?? null,
  authorizationCheckId,
  place: await placeOf(input.merchant),
  isAddressWrong: false,
  liters: litersOf(input),
  product: input.fuel?.product ?? null,
})

/** Returns the hashes by which a repetition is recognized. Its caller has the same connections. */
const identityOf = (
  caller: Caller,
  { metadata, ...input }: CheckPurchaseInput,
  authorizationCheckId: string | null,
) => ({
  keyHash: keyHashOf(caller, input.idempotencyKey),
  inputHash: sha256(
    canonicalJson([
      caller.connectionIds,
      withoutNullMembers({ ...input, authorizationCheckId }),
      metadata ?? null,
    ]),
  ),
})

/** Returns an input without the members that are null: they mean the same as absent ones. */
const withoutNullMembers = (input: object): unknown =>
  JSON.parse(JSON.stringify(input, (_, value: unknown) => value ?? undefined))

/** Decides on what has been read. Without all facts the decision is UNKNOWN. */
function decideOn(read: FactsRead, isComplete: boolean) {
  const policy = read.policy() ?? defaultPolicy
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

/**
 * Returns the check of an earlier request. Throws if its input was another one. What the check keeps of a vehicle or
 * driver is left out unless it is known that no filter hides them now.
 */
function replayOf(
  check: PurchaseCheck,
  { inputHash }: Pick<PurchaseCheck, 'inputHash'>,
  read: FactsRead,
): CheckedPurchase {
  if (check.inputHash !== inputHash)
    throw new PublicError(
      'idempotency_key_reused',
      'Another purchase has used this idempotency key. Send a new key with each new purchase.',
    )
  const driverId = read.isDriverShown() ? check.driverId : null
  // While the vehicle is hidden, the facts contain nothing of it.
  const evidence = read.isVehicleShown()
    ? check.evidence
    : { ...evidenceOf(read.facts(), defaultPolicy), ...merchantEvidenceIn(check.evidence) }
  const reconciliation = read.isVehicleShown() ? check.reconciliation : null
  return { check: { ...check, driverId, evidence, reconciliation }, replayed: true, recorded: true }
}

const unrecorded = (check: PurchaseCheck): CheckedPurchase => ({
  check: { ...check, decision: PurchaseDecision.UNKNOWN, wouldBe: ALL_UNKNOWN },
  replayed: false,
  recorded: false,
})
