import type { Behaviour } from '../../kit/behaviours.ts'

/** Behaviours. `fixed` of an inferred one without a switch is the reason why a reader sees no difference. */
export type Evidence = Readonly<Record<string, Behaviour & { readonly fixed?: string }>>

/** Sources of the behaviours. */

export const document = 'OpenAPI document of Samsara, version 2025-10-23'
export const limits = 'developers.samsara.com/docs/rate-limits'
export const oauth = 'samsarahq/oauth-samples, developers.samsara.com/docs/oauth-20'
export const webhooks = 'developers.samsara.com/docs/webhooks and six implementations'
export const feeds = 'developers.samsara.com/docs/vehicle-stats-feed'
export const samples = 'published examples of the OpenAPI document'
