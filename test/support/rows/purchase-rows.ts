import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { FuelProduct } from '../../../src/subgraphs/purchases/fuel-product.ts'
import { MerchantPlaceSource } from '../../../src/subgraphs/purchases/evidence/merchant-place-source.ts'
import { hashOfCard, type PurchaseCard } from '../../../src/subgraphs/purchases/cards/purchase-card.ts'
import { PurchaseDecision } from '../../../src/subgraphs/purchases/policy/decide.ts'
import { PurchaseStage, RuleAction } from '../../../src/subgraphs/purchases/policy/policy.ts'
import { StoredPurchasePolicy } from '../../../src/subgraphs/purchases/policy/purchase-policy.ts'
import type { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'
import { PurchasePhase } from '../../../src/subgraphs/purchases/purchase-enums.ts'
import { RuleOutcome } from '../../../src/subgraphs/purchases/rules/rule.ts'
import { matchKeyOf } from '../../../src/subgraphs/purchases/sites/match-key.ts'
import { PurchaseReplay } from '../../../src/subgraphs/purchases/replays/purchase-replay.ts'
import { hashOfSite, PurchaseSite } from '../../../src/subgraphs/purchases/sites/purchase-site.ts'
import { EngineState } from '../../../src/subgraphs/schema/enums/engine-state.ts'
import { asRow, DAY, MINUTE, NOON, type Owner } from '../factories.ts'

const { APPROVE, UNKNOWN } = PurchaseDecision

/** Check of a purchase in Austin. */
export const purchaseCheckRow = (
  owner: Owner,
  values: Partial<PurchaseCheck> & { vehicleId: string },
): PurchaseCheck => {
  const id = newId('purchaseCheck')
  return asRow<PurchaseCheck>({
    id,
    ...owner,
    keyHash: id,
    inputHash: 'input',
    idempotencyKey: 'purchase-1',
    driverId: null,
    cardId: null,
    purchasedAt: NOON - MINUTE,
    checkedAt: NOON,
    phase: PurchasePhase.AUTHORIZATION,
    authorizationId: null,
    authorizationCheckId: null,
    merchant: {
      name: 'Lone Star Fuel',
      categoryCode: '5542',
      coordinates: { longitude: -97.7431, latitude: 30.2672 },
      address: { line1: '1 Congress Ave', city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' },
    },
    amount: { value: 125, currency: 'USD' },
    fuel: { product: FuelProduct.DIESEL, liters: 90.5, unitPrice: null },
    metadata: { ours: 7 },
    decision: APPROVE,
    stage: PurchaseStage.V0,
    wouldBe: { v1: APPROVE, v2: UNKNOWN, v3: UNKNOWN },
    reasons: [
      {
        rule: 'near_merchant',
        outcome: RuleOutcome.PASS,
        action: RuleAction.DECLINE,
        measured: 12,
        limit: 900.5,
        unit: 'meters',
        text: 'The vehicle was at least 12 m from the merchant; 901 m were possible.',
      },
      {
        rule: 'tank_fits',
        outcome: RuleOutcome.UNKNOWN,
        action: RuleAction.DECLINE,
        measured: null,
        limit: null,
        unit: 'liters',
        text: 'The fuel capacity of the vehicle is unknown.',
      },
    ],
    evidence: {
      position: { longitude: -97.743, latitude: 30.267 },
      locatedAt: NOON - 2 * MINUTE,
      receivedAt: NOON - MINUTE,
      ageSeconds: 60,
      distanceMeters: 62,
      merchantPlace: { longitude: -97.7431, latitude: 30.2672 },
      merchantSiteId: null,
      merchantAccuracyMeters: 50,
      merchantPlaceSource: MerchantPlaceSource.COORDINATES,
      reachableMeters: 400.5,
      fuelPercent: 41.5,
      fuelAt: NOON - 2 * MINUTE,
      capacityLiters: null,
      engineState: EngineState.IDLE,
      driverId: null,
    },
    reconcileAt: null,
    reconciliation: null,
    policyVersion: 0,
    milliseconds: 3.2,
    ...values,
  })
}

/** Capture of a purchase, compared with the fuel level. */
export const captureRow = (owner: Owner, authorization: PurchaseCheck): PurchaseCheck => {
  const { vehicleId, driverId, cardId, reasons } = authorization
  return purchaseCheckRow(owner, {
    vehicleId,
    driverId,
    cardId,
    idempotencyKey: 'capture-1',
    phase: PurchasePhase.CAPTURE,
    authorizationId: 'iauth_1',
    authorizationCheckId: authorization.id,
    reconciliation: { reconciledAt: NOON, reasons },
  })
}

/** Card of a vehicle. */
export const cardRow = (
  owner: Owner,
  values: Partial<PurchaseCard> & { vehicleId: string },
): PurchaseCard => {
  const id = newId('purchaseCard')
  return asRow<PurchaseCard>({
    id,
    ...owner,
    cardHash: hashOfCard(owner.applicationId, id),
    cardId: id,
    driverId: null,
    assignedAt: NOON,
    ...values,
  })
}

/** Stores policies of an application for tags. */
export async function seedPurchasePolicies(
  db: Pick<Database, 'transaction'>,
  applicationId: string,
  count: number,
): Promise<void> {
  const policies = Array.from({ length: count }, (_, at) =>
    asRow<StoredPurchasePolicy>({
      id: newId('purchasePolicy'),
      applicationId,
      version: at + 1,
      target: `tag:tag-${at}`,
      stage: PurchaseStage.V1,
      settings: {},
      effectiveAt: NOON,
      createdAt: NOON,
    }),
  )
  await db.transaction((tx) => tx.insert(tableOf(StoredPurchasePolicy), policies))
}

/** Stores replays of an application that have ended. */
export async function seedPurchaseReplays(
  db: Pick<Database, 'transaction'>,
  applicationId: string,
  count: number,
): Promise<void> {
  const replays = Array.from({ length: count }, () =>
    asRow<PurchaseReplay>({
      id: newId('purchaseReplay'),
      applicationId,
      inputHash: 'hash',
      purchasedAfter: NOON,
      purchasedBefore: NOON + DAY,
      settings: { standing: { limits: { maxSpeedKmh: 5 } } },
      total: 0,
      done: 0,
      createdAt: NOON,
      endedAt: NOON,
      summary: { checks: 0, withoutVehicle: 0, withAssumedReceipt: 0, days: 0, decisions: [], rules: [] },
    }),
  )
  await db.transaction((tx) => tx.insert(tableOf(PurchaseReplay), replays))
}

/** Stores sites of an application. */
export async function seedPurchaseSites(
  db: Pick<Database, 'transaction'>,
  applicationId: string,
  count: number,
): Promise<void> {
  const sites = Array.from({ length: count }, (_, at) => {
    const siteId = `site-${at}`
    const address = { name: `Station ${at}`, postalCode: '78701', country: 'US' }
    return asRow<PurchaseSite>({
      id: newId('purchaseSite'),
      applicationId,
      siteHash: hashOfSite(applicationId, siteId),
      matchKey: matchKeyOf(applicationId, address),
      siteId,
      ...address,
      longitude: -97.7431,
      latitude: 30.2672,
      radiusMeters: 100,
      city: 'Austin',
      state: 'TX',
      modifiedAt: NOON,
    })
  })
  await db.transaction((tx) => tx.insert(tableOf(PurchaseSite), sites))
}
