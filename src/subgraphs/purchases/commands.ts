import {
  checkPurchase,
  type CheckedPurchase,
  type PurchaseCommandDeps,
  type CheckRequester,
} from './check-purchase.ts'
import type { CheckPurchaseInput } from './check-purchase-input.ts'

/** Purchase commands of one caller. */
export const purchaseCommands = (deps: PurchaseCommandDeps, requester: CheckRequester) => ({
  checkPurchase: (input: CheckPurchaseInput): Promise<CheckedPurchase> =>
    checkPurchase(deps, requester, input),
})

export interface PurchaseCommandsContext {
  readonly purchaseCommands: ReturnType<typeof purchaseCommands>
}
