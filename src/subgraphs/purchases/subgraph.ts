import { buildSubgraph } from '../schema/build-subgraph.ts'
import { PurchaseCheckResolver, resolvePurchaseCheck } from './purchase-check.resolver.ts'

/** Subgraph of fuel purchases and their checks. */
export const purchasesSubgraph = buildSubgraph({
  name: 'purchases',
  resolvers: [PurchaseCheckResolver],
  owned: { PurchaseCheck: resolvePurchaseCheck },
})
