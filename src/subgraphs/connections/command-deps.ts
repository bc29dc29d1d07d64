import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import type { Registry } from '../../providers/registry.ts'
import type { Notifier } from '../../queue/notifier.ts'
import { Unavailable } from '../../platform/lifecycle/unavailable.ts'
import type { Queue } from '../../queue/queue.ts'
import type { Database } from '../../storage/database.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import type { Clock } from '../../domain/time.ts'
import type { Renewals } from './credentials/renewals.ts'
import type { Sync } from './syncs/sync.ts'
import { syncTopic } from './syncs/topics.ts'

/** Dependencies of the commands of this subgraph, created once per process. */
export interface ConnectionCommandDeps {
  readonly db: Pick<Database, 'rows' | 'dialect' | 'transaction'>
  readonly registry: Registry
  readonly secrets: EnvelopeEncryption
  readonly queue: Pick<Queue, 'add'>
  readonly notifier: Pick<Notifier, 'notify'>
  readonly clock: Clock
  readonly renewals: Renewals
}

export const providerNameOf = ({ registry }: Pick<ConnectionCommandDeps, 'registry'>, code: string): string =>
  registry.find(code)?.manifest.name ?? code

/**
 * Must be called after the commit of a change. Notifies the event sequencer, and the subscribers of each ended sync. Then
 * enqueues the jobs that follow from the change.
 */
export async function afterCommit(
  { notifier }: Pick<ConnectionCommandDeps, 'notifier'>,
  {
    enqueue = async () => {},
    endedSyncs = [],
  }: { readonly enqueue?: () => Promise<void>; readonly endedSyncs?: readonly Pick<Sync, 'id'>[] } = {},
): Promise<void> {
  notifier.notify(OUTBOX_TOPIC)
  for (const { id } of endedSyncs) notifier.notify(syncTopic(id))
  try {
    await enqueue()
  } catch (error) {
    // The change is committed, so the command succeeds without the queue. The reconciler enqueues the jobs later.
    if (!(error instanceof Unavailable)) throw error
  }
}

/** Enqueues a run of the reconciler, so that it checks for due work at once instead of on schedule. */
export const enqueueReconcile = ({ queue }: Pick<ConnectionCommandDeps, 'queue'>): Promise<void> =>
  queue.add('reconcile', {}, { key: 'all' })
