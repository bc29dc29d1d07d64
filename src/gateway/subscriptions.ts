import { type ExecutionResult, GraphQLError } from 'graphql'
import type { Logger } from '../platform/logging/log.ts'
import { addLogFields, type LogContext } from '../platform/logging/log-context.ts'
import { type SharedStream, isSharedStream } from '../subgraphs/streams/shared-stream.ts'
import type { OperationWork } from '../platform/instrumentation.ts'
import { maskErrors, maskError } from './error-masking.ts'
import type { ContextFor } from './context.ts'
import type { Executor } from './executor.ts'
import type { OperationWithVariables } from './operation.ts'
import type { Authorizer } from './authorization/scope-authorization.ts'
import { SubscriptionResultCache, sharingKey } from './subscription-result-cache.ts'
import type { Requester } from './requester.ts'

/** A subscription that has begun. */
export interface ActiveSubscription {
  /** What happens; leaving ends it at once. What it ends with is told as errors are. */
  readonly events: AsyncIterator<unknown>
  /** Where the events are those of a log, by whose ids they can be followed anew. */
  readonly log: SharedStream<unknown> | null
  /** The answer to one event, as JSON. */
  answerTo(event: unknown): Promise<string>
}

/** Begins a subscription, or answers why not. With `lastEventId` it begins after that event of a log. */
export type Subscribe = (
  request: OperationWithVariables,
  requester: Requester,
  lastEventId?: string,
) => Promise<ActiveSubscription | ExecutionResult>

export const isActive = (outcome: ActiveSubscription | ExecutionResult): outcome is ActiveSubscription =>
  'answerTo' in outcome

interface SubscriptionDeps {
  readonly executor: Executor & { executorKindOf(request: OperationWithVariables): OperationWork['engine'] }
  readonly contextFor: ContextFor
  readonly authorizer: Pick<Authorizer, 'denialOf'>
  readonly log: Logger
}

export function createSubscribe({ executor, contextFor, authorizer, log }: SubscriptionDeps): Subscribe {
  const shared = new SubscriptionResultCache()
  return async (request, requester, lastEventId) => {
    const { operation } = request
    const { caller, credentials, logContext } = requester
    addLogFields(logContext, { operation: operation.shortName ?? 'anonymous' })
    const forbidden = authorizer.denialOf(caller, request)
    if (forbidden) return maskErrors(forbidden, log, logContext)
    // What is told the moment that it happens must be read where it happened.
    const context = () => contextFor(caller, credentials, logContext, 'newest')
    const started = lastEventId === undefined ? operation : operation.resumedAfter(lastEventId)
    const source = await executor.source({ ...request, operation: started, context: context() })
    if (!(Symbol.asyncIterator in source)) return maskErrors(source, log, logContext)
    const answer = async (rootValue: unknown) =>
      JSON.stringify(
        maskErrors(await executor.execute({ ...request, rootValue, context: context() }), log, logContext),
      )
    const events = source[Symbol.asyncIterator]()
    const followed = isSharedStream(events) ? events : null
    const refused = await followed?.startsAfter().then(
      () => null,
      (error: Error) => error,
    )
    if (refused) {
      await events.return?.()
      return { errors: [maskError(asGraphql(refused), log, logContext)] }
    }
    const group =
      followed && shared.join(sharingKey(request, requester, executor.executorKindOf(request) === 'fused'))
    return {
      events: maskStreamErrors(events, log, logContext, () => group?.leave()),
      log: followed,
      answerTo: (event) => (group ? group.answerTo(event as object, answer) : answer(event)),
    }
  }
}

/** What ends a subscription from within is told like any error. */
function maskStreamErrors(
  events: AsyncIterator<unknown>,
  log: Logger,
  logContext: LogContext | undefined,
  left: () => void,
): AsyncIterator<unknown> {
  return {
    next: () =>
      events.next().catch((error: Error) => {
        throw maskError(asGraphql(error), log, logContext)
      }),
    return() {
      left()
      return events.return?.() ?? Promise.resolve({ done: true, value: undefined })
    },
  }
}

const asGraphql = (error: Error) =>
  error instanceof GraphQLError ? error : new GraphQLError(error.message, { originalError: error })
