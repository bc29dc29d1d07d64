import type { SecretBox } from '../../auth/secret-box.ts'
import type { Registry } from '../../providers/registry.ts'
import type { Doorbell } from '../../queue/doorbell.ts'
import { QueueUnavailable, type Queue } from '../../queue/queue.ts'
import type { Database } from '../../storage/database.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import type { Clock } from '../../time.ts'
import type { Sync } from './syncs/sync.ts'
import { syncTopic } from './syncs/topics.ts'

/** What the verbs of this subgraph work with, once per process. */
export interface ConnectionWritesFrom {
  readonly db: Pick<Database, 'rows' | 'dialect' | 'transaction'>
  readonly registry: Registry
  readonly secrets: SecretBox
  readonly queue: Pick<Queue, 'add'>
  readonly doorbell: Pick<Doorbell, 'ring'>
  readonly clock: Clock
}

export const providerNameOf = ({ registry }: Pick<ConnectionWritesFrom, 'registry'>, code: string): string =>
  registry.find(code)?.manifest.name ?? code

/** After a commit: tells who listens to the log and to the syncs that it ended, and leaves the work that follows. */
export async function follow(
  { doorbell }: Pick<ConnectionWritesFrom, 'doorbell'>,
  work: () => Promise<void> = async () => {},
  ended: readonly Pick<Sync, 'id'>[] = [],
): Promise<void> {
  doorbell.ring(OUTBOX_TOPIC)
  for (const { id } of ended) doorbell.ring(syncTopic(id))
  try {
    await work()
  } catch (error) {
    // What is committed stands; the reconciler queues what a queue out of reach did not take.
    if (!(error instanceof QueueUnavailable)) throw error
  }
}

/** Lets the reconciler look at once for what is due. */
export const lookForWork = ({ queue }: Pick<ConnectionWritesFrom, 'queue'>): Promise<void> =>
  queue.add('reconcile', {}, { key: 'all' })
