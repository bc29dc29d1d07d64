import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import type { Registry } from '../../providers/registry.ts'
import type { Notifier } from '../../queue/notifier.ts'
import { Unavailable } from '../../platform/lifecycle/unavailable.ts'
import type { Queue } from '../../queue/queue.ts'
import type { Database } from '../../storage/database.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import type { Clock } from '../../domain/time.ts'
import type { Sync } from './syncs/sync.ts'
import { syncTopic } from './syncs/topics.ts'

/** What the verbs of this subgraph work with, once per process. */
export interface ConnectionCommandDeps {
  readonly db: Pick<Database, 'rows' | 'dialect' | 'transaction'>
  readonly registry: Registry
  readonly secrets: EnvelopeEncryption
  readonly queue: Pick<Queue, 'add'>
  readonly notifier: Pick<Notifier, 'notify'>
  readonly clock: Clock
}

export const providerNameOf = ({ registry }: Pick<ConnectionCommandDeps, 'registry'>, code: string): string =>
  registry.find(code)?.manifest.name ?? code

/** After a commit: tells who listens to the log and to the syncs that it ended, and leaves the work that follows. */
export async function afterCommit(
  { notifier }: Pick<ConnectionCommandDeps, 'notifier'>,
  work: () => Promise<void> = async () => {},
  ended: readonly Pick<Sync, 'id'>[] = [],
): Promise<void> {
  notifier.notify(OUTBOX_TOPIC)
  for (const { id } of ended) notifier.notify(syncTopic(id))
  try {
    await work()
  } catch (error) {
    // What is committed stands; the reconciler queues what a queue out of reach did not take.
    if (!(error instanceof Unavailable)) throw error
  }
}

/** Lets the reconciler look at once for what is due. */
export const enqueueReconcile = ({ queue }: Pick<ConnectionCommandDeps, 'queue'>): Promise<void> =>
  queue.add('reconcile', {}, { key: 'all' })
