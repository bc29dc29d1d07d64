import { onAbort } from '../../../platform/lifecycle/on-abort.ts'
import { settledWithin } from '../../../platform/lifecycle/timeout.ts'
import { Unavailable } from '../../../platform/lifecycle/unavailable.ts'
import type { ProviderCredentials } from '../../../providers/provider.ts'
import type { RenewalTiming } from './renewal-timing.ts'
import type { StoredCredentials } from './stored-credentials.ts'

export interface RenewalInFlight {
  readonly used: ProviderCredentials
  readonly renewed: Promise<StoredCredentials>
}

/** Renewed credentials that the database does not have yet. This process uses them already. */
export interface UnstoredCredentials {
  readonly renewed: StoredCredentials
  /** Resolves to what is stored in the end: these credentials, or newer ones. */
  readonly stored: Promise<StoredCredentials>
}

interface RenewalLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Pause between attempts while the process stops. */
const CLOSING_PAUSE_MS = 200

/** Renewals of this process: those in flight, and those with credentials to store. Requests and jobs share them. */
export class Renewals {
  readonly inFlight = new PendingByConnection<RenewalInFlight>()
  readonly unstored = new PendingByConnection<UnstoredCredentials>()
  private readonly closing = new AbortController()
  private closed = false

  constructor(
    readonly log: RenewalLog,
    readonly timing: RenewalTiming,
  ) {}

  /** Whether the shutdown no longer waits for stores. */
  get isClosed(): boolean {
    return this.closed
  }

  /** Throws when the process stops: nobody needs a new renewal then. */
  requireOpen(): void {
    this.closing.signal.throwIfAborted()
  }

  /** Waits. While the process stops, the wait is short. */
  pause(ms: number): Promise<void> {
    const { signal } = this.closing
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        forget()
        resolve()
      }
      const timer = setTimeout(end, signal.aborted ? Math.min(ms, CLOSING_PAUSE_MS) : ms)
      const forget = onAbort(signal, end)
    })
  }

  /** Waits for answers of providers and for stores, for a limited time. */
  async close(): Promise<void> {
    this.closing.abort(new Unavailable('the process stops'))
    await settledWithin(this.timing.closeMs, [this.settle()])
    this.closed = true
    for (const connectionId of this.unstored.connectionIds())
      this.log.error({ connectionId }, 'renewed credentials dropped: the process stops')
  }

  private async settle(): Promise<void> {
    // A renewal that ends may leave credentials to store.
    await Promise.allSettled(this.inFlight.all().map(({ renewed }) => renewed))
    await Promise.allSettled(this.unstored.all().map(({ stored }) => stored))
  }
}

/** Pending work, at most one for each connection. */
class PendingByConnection<Work> {
  private readonly byConnection = new Map<string, Work>()

  get(connectionId: string): Work | undefined {
    return this.byConnection.get(connectionId)
  }

  all(): Work[] {
    return [...this.byConnection.values()]
  }

  connectionIds(): string[] {
    return [...this.byConnection.keys()]
  }

  /** Adds work until its end. Later work of the same connection replaces it. */
  add(connectionId: string, work: Work, end: Promise<unknown>): void {
    this.byConnection.set(connectionId, work)
    const forget = () => {
      if (this.byConnection.get(connectionId) === work) this.byConnection.delete(connectionId)
    }
    end.then(forget, forget)
  }
}
