import type { LogContext } from '../../platform/logging/log-context.ts'
import { isPublic, PublicError } from '../../domain/errors.ts'
import type { RepositoryDeps } from '../../subgraphs/schema/repository-deps.ts'
import type { OperationLifetime } from './operation-lifetime.ts'
import type { ReadSize } from './read-size.ts'
import { ResultsInProgress } from './results-in-progress.ts'

/**
 * Points of work in one turn of the event loop, while several applications send requests. A row of a result is one
 * point, about 10 µs. Small operations therefore do not wait for another turn.
 */
const POINTS_PER_TURN = 100
/**
 * The same while only one application sends requests. It limits how long the first request of another one waits. It is
 * large, because requests that wait make garbage collection expensive.
 */
const POINTS_PER_TURN_ALONE = 10_000
/** After a turn with work of several applications, the smaller number of points applies for this time. */
const SHARED_MS = 1_000
const OPERATION_POINTS = 10
const COST_PER_POINT = 10
const STATEMENT_POINTS = 2
const REFUSAL_POINTS = 20
/** Points of a new document for each of its characters, because it is parsed, validated and compiled. */
const POINTS_PER_CHARACTER = 0.25
/** Requests of one application that may wait before they begin. */
const MAX_WAITING_REQUESTS = 1_000

/** Kinds of work. A smaller number goes first: operations that have begun go before operations that have not. */
const RESULT = 0
const STATEMENT = 1
const OPERATION = 2
const DOCUMENT = 3
const KINDS = [RESULT, STATEMENT, OPERATION, DOCUMENT] as const
type Kind = (typeof KINDS)[number]

interface WaitingWork {
  readonly points: number
  readonly start: () => void
}

type ReadDatabase = RepositoryDeps['db']

/** Operation whose statements are read. */
export interface OperationReads {
  readonly logContext: LogContext | undefined
  readonly lifetime: OperationLifetime
  readonly size: ReadSize
}

/**
 * Divides the event loop and the database among applications, so that the load of one does not delay the others. Each
 * application has a share. Its work puts the share into debt, and each turn of the event loop pays a part of the debts.
 * The work of a share with too much debt waits, while the event loop serves the others.
 */
export class FairShares {
  /** A share starts work while it owes less. */
  pointsPerTurn = POINTS_PER_TURN_ALONE
  private readonly shares = new Map<string, FairShare>()
  private indebted = new Set<FairShare>()
  private sharedUntil = 0

  /** `statementsAtOnce` is the number of statements that one application may have at the database. */
  constructor(readonly statementsAtOnce: number) {}

  of(applicationId: string): FairShare {
    let share = this.shares.get(applicationId)
    if (!share) this.shares.set(applicationId, (share = new FairShare(this, applicationId)))
    return share
  }

  /** Adds a share that the next turn of the event loop pays for. */
  add(share: FairShare): void {
    if (this.indebted.size === 0) setImmediate(() => this.payTurn())
    this.indebted.add(share)
  }

  private payTurn(): void {
    const shares = this.indebted
    this.indebted = new Set()
    const now = performance.now()
    const [first, ...others] = shares
    if (others.some(({ applicationId }) => applicationId !== first?.applicationId))
      this.sharedUntil = now + SHARED_MS
    this.pointsPerTurn = now < this.sharedUntil ? POINTS_PER_TURN : POINTS_PER_TURN_ALONE
    for (const share of shares) share.pay(this.pointsPerTurn / shares.size)
  }
}

/** Share of one application in the event loop and the database. */
export class FairShare {
  private debt = 0
  private statements = 0
  private waitingRequests = 0
  private readonly eventResults = new ResultsInProgress()
  private refusals: FairShare | undefined
  private readonly waiting: Readonly<Record<Kind, WaitingWork[]>> = {
    [RESULT]: [],
    [STATEMENT]: [],
    [OPERATION]: [],
    [DOCUMENT]: [],
  }

  constructor(
    private readonly fairShares: FairShares,
    readonly applicationId: string,
  ) {}

  /**
   * Returns a promise if a request of this estimated cost has to wait before it begins. Throws if too many requests of
   * the application wait.
   */
  request(cost: number, lifetime: OperationLifetime): Promise<void> | undefined {
    return this.enqueue(OPERATION, OPERATION_POINTS + cost / COST_PER_POINT, lifetime)
  }

  /** Waits until a new document of this length may be parsed. Rejects if too many requests of the application wait. */
  async document(characters: number, lifetime: OperationLifetime): Promise<void> {
    await this.enqueue(DOCUMENT, characters * POINTS_PER_CHARACTER, lifetime)
  }

  private enqueue(kind: Kind, points: number, lifetime: OperationLifetime): Promise<void> | undefined {
    if (this.waitingRequests >= MAX_WAITING_REQUESTS)
      throw new PublicError(
        'service_unavailable',
        `The application has ${MAX_WAITING_REQUESTS} requests that wait. Retry later, with fewer requests at once.`,
        { retryAfterSeconds: 1 },
      )
    const begin = this.admit(kind, points, lifetime)
    if (!begin) return undefined
    this.waitingRequests++
    return begin.finally(() => this.waitingRequests--)
  }

  /**
   * Computes the result of an event in its turn. What `compute` creates is short-lived. What is created before the turn
   * becomes old while it waits, and then the garbage collector keeps everything that it refers to.
   */
  eventResult<T>(cost: number, lifetime: OperationLifetime, compute: () => Promise<T>): Promise<T> {
    return this.eventResults.run(cost, async () => {
      await this.operation(cost, lifetime)
      return compute()
    })
  }

  /** Returns a promise if an operation of this estimated cost has to wait before it begins. */
  operation(cost: number, lifetime: OperationLifetime): Promise<void> | undefined {
    return this.admit(OPERATION, OPERATION_POINTS + cost / COST_PER_POINT, lifetime)
  }

  /**
   * Waits for the turn of a refusal, or until its operation ends early. A flood of requests that are refused takes time
   * of the event loop too. Refusals have a share of their own, so they neither wait for the operations of the
   * application nor delay them.
   */
  async refusal(lifetime: OperationLifetime): Promise<void> {
    this.refusals ??= new FairShare(this.fairShares, this.applicationId)
    try {
      await this.refusals.admit(OPERATION, REFUSAL_POINTS, lifetime)
    } catch (error) {
      if (!isPublic(error)) throw error
    }
  }

  /** Returns a database whose statements count against the share, and end with the operation. */
  reads<Db extends ReadDatabase>(db: Db, { logContext, lifetime, size }: OperationReads): Db {
    const rows: ReadDatabase['rows'] = async <T>(sql: string, parameters?: readonly unknown[]) => {
      if (logContext) logContext.statements += 1
      const begin = this.admit(STATEMENT, STATEMENT_POINTS, lifetime)
      if (begin) await begin
      try {
        const result = await db.rows<T>(sql, parameters)
        size.add(result)
        // The operation processes the rows as soon as it has them.
        const end = this.admit(RESULT, result.length, lifetime)
        if (end) await end
        return result
      } finally {
        this.statements--
        this.startWaiting()
      }
    }
    return { ...db, rows }
  }

  /** Reduces the debt, and starts the waiting work that it permits. */
  pay(points: number): void {
    this.debt -= Math.min(this.debt, points)
    if (this.debt > 0) this.fairShares.add(this)
    this.startWaiting()
  }

  /** Returns a promise if the work has to wait. Throws, or rejects, when the operation ends early. */
  private admit(kind: Kind, points: number, lifetime: OperationLifetime): Promise<void> | undefined {
    lifetime.throwIfEnded()
    const waiting = this.waiting[kind]
    const isNext = waiting.length === 0 && this.next(kind) === undefined
    if (isNext && this.mayStart(kind)) return void this.charge(kind, points)
    return new Promise((resolve, reject) => {
      const work = {
        points,
        start() {
          stopListening()
          resolve()
        },
      }
      waiting.push(work)
      const stopListening = lifetime.onEnd((error) => {
        waiting.splice(waiting.indexOf(work), 1)
        reject(error)
      })
    })
  }

  private startWaiting(): void {
    for (let kind = this.next(); kind !== undefined; kind = this.next()) {
      const { points, start } = this.waiting[kind].shift()!
      this.charge(kind, points)
      start()
    }
  }

  /** Returns the kind of the waiting work that starts next, of those before or equal to `last`. */
  private next(last: Kind = DOCUMENT): Kind | undefined {
    return KINDS.find((kind) => kind <= last && this.waiting[kind].length > 0 && this.mayStart(kind))
  }

  /** While the application has all its statements at the database, no operation begins either. */
  private mayStart(kind: Kind): boolean {
    const { pointsPerTurn, statementsAtOnce } = this.fairShares
    const needsStatement = kind === STATEMENT || kind === OPERATION
    return this.debt < pointsPerTurn && (!needsStatement || this.statements < statementsAtOnce)
  }

  private charge(kind: Kind, points: number): void {
    if (kind === STATEMENT) this.statements++
    this.debt += points
    if (points > 0) this.fairShares.add(this)
  }
}
