import { type ExecutionResult, GraphQLError } from 'graphql'
import type { Logger } from '../platform/logging/log.ts'
import { addLogFields, addRequestDetails, type LogContext } from '../platform/logging/log-context.ts'
import { type SharedStream, isSharedStream } from '../subgraphs/streams/shared-stream.ts'
import type { OperationWork } from '../platform/instrumentation.ts'
import { maskErrors, maskError, addErrorCode } from './error-masking.ts'
import type { ContextFor } from './context.ts'
import type { Executor } from './execution/executor.ts'
import type { OperationWithVariables } from './operation.ts'
import { costResultOf } from './cost/cost-limits.ts'
import type { EstimateCost } from './cost/operation-cost.ts'
import { admitRequest } from './rate-limit/admit-request.ts'
import { pacedEvents } from './rate-limit/paced-events.ts'
import type { RequestRateLimiter } from './rate-limit/request-rate-limiter.ts'
import { textResultOf } from './text-check.ts'
import type { Authorizer } from './authorization/scope-authorization.ts'
import { SubscriptionResultCache, sharingKey } from './subscription-result-cache.ts'
import type { Requester } from './requester.ts'

/** Subscription that has started. */
export interface ActiveSubscription {
  /** Source events. `return` ends the subscription at once. An error that ends the stream is masked. */
  readonly events: AsyncIterator<unknown>
  /** The stream, if it is shared: a client can resume it after the id of an event. Null for any other stream. */
  readonly sharedStream: SharedStream<unknown> | null
  /** Returns the result for one event, as JSON. */
  resultFor(event: unknown): Promise<string>
}

/**
 * Starts a subscription, or returns its error result. With `lastEventId`, the subscription resumes after that
 * event.
 */
export type Subscribe = (
  request: OperationWithVariables,
  requester: Requester,
  lastEventId?: string,
) => Promise<ActiveSubscription | ExecutionResult>

export const isActiveSubscription = (
  outcome: ActiveSubscription | ExecutionResult,
): outcome is ActiveSubscription => 'resultFor' in outcome

interface SubscriptionDeps {
  readonly executor: Executor & { executorKindOf(request: OperationWithVariables): OperationWork['engine'] }
  readonly contextFor: ContextFor
  readonly authorizer: Pick<Authorizer, 'denialOf'>
  readonly log: Logger
  readonly estimateCost: EstimateCost
  /** Limit of the cost of the result for one event. */
  readonly maxEventCost: number
  readonly rateLimiter: RequestRateLimiter | undefined
}

export function createSubscribe({
  executor,
  contextFor,
  authorizer,
  log,
  estimateCost,
  maxEventCost,
  rateLimiter,
}: SubscriptionDeps): Subscribe {
  const resultCache = new SubscriptionResultCache()
  const start: Subscribe = async (request, requester, lastEventId) => {
    const { operation } = request
    const { caller, credentials, logContext } = requester
    addLogFields(logContext, { operation: operation.shortName ?? 'anonymous' })
    addRequestDetails(logContext, { documentHash: operation.documentHash })
    const cost = estimateCost(request)
    addLogFields(logContext, { cost: Math.ceil(cost.cost) })
    const refusal =
      authorizer.denialOf(caller, request) ?? textResultOf(request) ?? costResultOf(cost, maxEventCost)
    const denial = (await admitRequest(rateLimiter, requester, refusal ? 0 : cost.cost)) ?? refusal
    // A subscription event can be published before a replica has it. Reads therefore go to the primary.
    const context = () => contextFor({ caller, credentials, logContext }, 'newest')
    const resumed = lastEventId === undefined ? operation : operation.resumedAfter(lastEventId)
    const startContext = context()
    const { share, lifetime } = startContext
    if (denial) {
      await share.refusal(lifetime)
      return maskErrors(denial, log, logContext)
    }
    const source = await executor.source({ ...request, operation: resumed, context: startContext })
    if (!(Symbol.asyncIterator in source)) return maskErrors(source, log, logContext)
    const computeResult = async (rootValue: unknown) => {
      const result = await executor.execute({ ...request, rootValue, context: context() })
      return JSON.stringify(maskErrors(result, log, logContext))
    }
    const resultInTurn = (event: unknown) =>
      share.eventResult(cost.cost, lifetime, () => computeResult(event))
    const events = source[Symbol.asyncIterator]()
    const sharedStream = isSharedStream(events) ? events : null
    const startError = await sharedStream?.idBeforeStart().then(
      () => null,
      (error: Error) => error,
    )
    if (startError) {
      await events.return?.()
      return { errors: [maskError(asGraphqlError(startError), log, logContext)] }
    }
    const membership =
      sharedStream &&
      resultCache.join(sharingKey(request, requester, executor.executorKindOf(request) === 'fused'))
    return {
      events: maskStreamErrors(
        rateLimiter ? pacedEvents(events, () => rateLimiter.take(caller, cost.cost)) : events,
        log,
        logContext,
        () => membership?.leave(),
      ),
      sharedStream,
      resultFor: (event) =>
        membership ? membership.resultFor(event as object, resultInTurn) : resultInTurn(event),
    }
  }
  return async (request, requester, lastEventId) => {
    const outcome = await start(request, requester, lastEventId)
    if (!isActiveSubscription(outcome)) addErrorCode(requester.logContext, outcome)
    return outcome
  }
}

/** Masks an error that ends the stream. Calls `onReturn` when the consumer ends the subscription. */
function maskStreamErrors(
  events: AsyncIterator<unknown>,
  log: Logger,
  logContext: LogContext | undefined,
  onReturn: () => void,
): AsyncIterator<unknown> {
  return {
    next: () =>
      events.next().catch((error: Error) => {
        throw maskError(asGraphqlError(error), log, logContext)
      }),
    return() {
      onReturn()
      return events.return?.() ?? Promise.resolve({ done: true, value: undefined })
    },
  }
}

const asGraphqlError = (error: Error) =>
  error instanceof GraphQLError ? error : new GraphQLError(error.message, { originalError: error })
