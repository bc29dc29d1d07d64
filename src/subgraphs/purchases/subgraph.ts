import { buildSubgraph } from '../schema/build-subgraph.ts'
import { PurchaseCardResolver } from './cards/purchase-card.resolver.ts'
import { IftaReportResolver } from './ifta-report/ifta-report.resolver.ts'
import { PurchasePolicyResolver } from './policy/purchase-policy.resolver.ts'
import { PurchaseSiteResolver } from './sites/purchase-site.resolver.ts'
import { PurchaseCheckResolver, resolvePurchaseCheck } from './purchase-check.resolver.ts'
import { PurchaseReplayResolver } from './replays/purchase-replay.resolver.ts'
import { PurchaseSummaryResolver } from './summary/purchase-summary.resolver.ts'

/** Subgraph of fuel purchases and their checks. */
export const purchasesSubgraph = buildSubgraph({
  name: 'purchases',
  resolvers: [
    PurchaseCheckResolver,
    PurchasePolicyResolver,
    PurchaseCardResolver,
    PurchaseSiteResolver,
    PurchaseSummaryResolver,
    IftaReportResolver,
    PurchaseReplayResolver,
  ],
  owned: { PurchaseCheck: resolvePurchaseCheck },
})
