import type { RunningService } from '../prove/support/service-process.ts'
import { until } from './federation/federation-harness.ts'

interface Syncs {
  readonly syncs: { readonly nodes: readonly { readonly status: string }[] }
}

/** Waits for the end of the sync that a service with the demo starts at its first start. */
export const firstSyncEnds = (service: RunningService): Promise<void> =>
  until(async () => {
    const { syncs } = await service.graphql<Syncs>('{ syncs(last: 1) { nodes { status } } }')
    return syncs.nodes[0]?.status === 'COMPLETED'
  })
