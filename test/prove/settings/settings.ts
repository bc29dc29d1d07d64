import { proofOnStores } from '../proof.ts'
import type { Store } from '../support/service-process.ts'
import { judge } from './judge.ts'
import { changeWhileEventsFlow, type Sizes } from './changing.ts'

/** Changes of endpoints and connections while events flow and notifications get lost. */
export const settings = proofOnStores(
  {
    name: 'settings',
    description: 'an acknowledged change of a filter or a tag decides on every event that follows',
    options: {
      events: { preset: 20_000, short: 3000, description: 'number of events' },
      changes: { preset: 1000, short: 300, description: 'number of changes' },
      endpoints: { preset: 8, description: 'number of endpoints' },
      connections: { preset: 6, description: 'number of connections' },
      'lost-percent': { preset: 50, description: 'share of the notifications that get lost' },
      seed: { preset: 1, description: 'seed of the random changes' },
    },
  },
  (store, { 'lost-percent': lostPercent, ...sizes }) => prove(store, { ...sizes, lostPercent }),
)

/**
 * Minimum share of cases with one correct answer. On a slow machine, endpoints pass an event later. More settings may
 * then apply to it, and they can differ.
 */
const MIN_DECIDED_SHARE = 0.2

/** Returns the failures. */
export async function prove(store: Store, sizes: Sizes): Promise<string[]> {
  const begun = performance.now()
  const { events, endpoints, tagsOf, notifications } = await changeWhileEventsFlow(store, sizes)
  const { decided, free, missing, unwanted } = judge(events, endpoints, tagsOf)
  const received = endpoints.reduce((sum, { receipts }) => sum + receipts.size, 0)
  console.log(
    `${store}: ${events.length} events, ${sizes.changes} changes, ${endpoints.length} endpoints, ${received} received in ${((performance.now() - begun) / 1000).toFixed(0)} s; ${notifications.lost} of ${notifications.sent} notifications lost; the settings decide ${decided} of ${decided + free} cases; missing ${missing.length}, unwanted ${unwanted.length}`,
  )
  return [
    ...(decided < MIN_DECIDED_SHARE * (decided + free)
      ? [`${store}: the settings decide too few cases`]
      : []),
    ...(received === 0 ? [`${store}: nothing was received`] : []),
    ...missing.slice(0, 5).map((pair) => `${store}, seed ${sizes.seed}: missing: ${pair}`),
    ...unwanted.slice(0, 5).map((pair) => `${store}, seed ${sizes.seed}: unwanted: ${pair}`),
  ]
}
