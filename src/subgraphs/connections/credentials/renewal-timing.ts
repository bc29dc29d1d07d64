import { jobTimeouts, requestTimeouts } from '../../../storage/timeouts.ts'

/** Time limits of renewals, in ms. Tests use shorter ones. */
export interface RenewalTiming {
  /** Duration of a lease: other workers take over the renewal of a dead worker after this time. */
  readonly leaseMs: number
  /** Time limit for the answer of the provider. It is shorter than the lease, so that few renewals overlap. */
  readonly answerMs: number
  /** Maximum wait for another worker. It is longer than a lease, so that a waiting worker can take it over. */
  readonly waitMs: number
  /**
   * Time from a doubtful refusal to the second look. It covers a statement of a job that hangs and the longest
   * pause between two attempts of a store: a worker that reaches the database stores its credentials within this
   * time.
   */
  readonly secondLookMs: number
  /** Maximum wait of a caller for the store of renewed credentials: as long as a request waits for the database. */
  readonly storeWaitMs: number
  /** Longest pause between two attempts to store renewed credentials, before the jitter of 50 %. */
  readonly storePauseMs: number
  /** Time after which unstored credentials are dropped. It is longer than the restart of a database server. */
  readonly storeMs: number
  /**
   * Maximum wait of the shutdown for running renewals and stores. It is longer than an answer of the provider,
   * and fits into the 40 seconds in which a container has to stop.
   */
  readonly closeMs: number
}

const STORE_PAUSE_MS = 5_000
/** Time for the pause with its jitter, and for the store itself. */
const STORE_MARGIN_MS = 14_000

/** Returns the limits for a time limit of database statements, which the setting QUERY_TIMEOUT_SECONDS decides. */
export const renewalTiming = (queryTimeoutMs: number): RenewalTiming => ({
  leaseMs: 10_000,
  answerMs: 8_000,
  waitMs: 15_000,
  secondLookMs: jobTimeouts(queryTimeoutMs).statementMs + STORE_MARGIN_MS,
  storeWaitMs: requestTimeouts(queryTimeoutMs).totalMs,
  storePauseMs: STORE_PAUSE_MS,
  storeMs: 15 * 60_000,
  closeMs: 10_000,
})
