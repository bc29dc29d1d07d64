import type { Logger } from '../../log.ts'
import type { Outgoing } from '../../outgoing/outgoing.ts'
import type { Database } from '../../storage/database.ts'
import type { Clock } from '../../time.ts'
import type { Bodies } from '../delivery/bodies.ts'
import type { Connections } from './connections.ts'
import type { LogWindows } from '../delivery/log-window.ts'
import type { Recorder } from '../delivery/recorder.ts'
import type { Slots } from './slots.ts'

/** What the endpoints of a worker share. */
export interface Depot {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly outgoing: Pick<Outgoing, 'post'>
  readonly bodies: Bodies
  readonly windows: LogWindows
  readonly connections: Connections
  readonly slots: Slots
  readonly recorder: Recorder
  /** How many messages an endpoint reads at once. */
  windowSize(): number
  /** Whether all endpoints' settings and leases are known to be as they were a moment ago; it may look. */
  isConfirmed(): Promise<boolean>
  /** Aborted when what is under way is given up. */
  readonly signal: AbortSignal
}
