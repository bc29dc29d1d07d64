import { assignCard, unassignCard } from './cards/assign-card.ts'
import type { AssignCardInput, UnassignCardInput } from './cards/assign-card-input.ts'
import type { PurchaseCard } from './cards/purchase-card.ts'
import type { VisibleRequester } from '../tables/visible-reads.ts'
import { captureForCheck } from './captures/capture-for-check.ts'
import type { CaptureForCheckInput } from './captures/capture-for-check-input.ts'
import { checkPurchase, type CheckedPurchase, type PurchaseCommandDeps } from './check-purchase.ts'
import type { CheckPurchaseInput } from './check-purchase-input.ts'
import type { StoredPurchasePolicy } from './policy/purchase-policy.ts'
import { setPurchasePolicy } from './policy/set-policy.ts'
import type { SetPurchasePolicyInput } from './policy/set-policy-input.ts'
import type { PurchaseReplay } from './replays/purchase-replay.ts'
import type { ReplayPurchasesInput } from './replays/replay-purchases-input.ts'
import { replayPurchases } from './replays/start-replay.ts'
import type { PurchaseSite } from './sites/purchase-site.ts'
import { removePurchaseSite, setPurchaseSite } from './sites/set-sites.ts'
import type { RemovePurchaseSiteInput, SetPurchaseSiteInput } from './sites/set-site-input.ts'

/** Purchase commands of one caller. */
export const purchaseCommands = (deps: PurchaseCommandDeps, requester: VisibleRequester) => ({
  checkPurchase: (input: CheckPurchaseInput): Promise<CheckedPurchase> =>
    checkPurchase(deps, requester, input),
  assignCard: (input: AssignCardInput): Promise<PurchaseCard> => assignCard(deps, requester, input),
  unassignCard: (input: UnassignCardInput): Promise<boolean> => unassignCard(deps, requester.caller, input),
  captureForCheck: (input: CaptureForCheckInput): Promise<CheckedPurchase> =>
    captureForCheck(deps, requester, input),
  setPurchaseSite: (input: SetPurchaseSiteInput): Promise<PurchaseSite> =>
    setPurchaseSite(deps, requester.caller, input),
  removePurchaseSite: (input: RemovePurchaseSiteInput): Promise<boolean> =>
    removePurchaseSite(deps, requester.caller, input),
  replayPurchases: (input: ReplayPurchasesInput): Promise<PurchaseReplay> =>
    replayPurchases(deps, requester.caller, input),
  setPurchasePolicy: (input: SetPurchasePolicyInput): Promise<StoredPurchasePolicy> =>
    setPurchasePolicy(deps, requester.caller, input),
})

export interface PurchaseCommandsContext {
  readonly purchaseCommands: ReturnType<typeof purchaseCommands>
}
