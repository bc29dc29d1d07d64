import { type DocumentNode, type ExecutionResult, getOperationAST, GraphQLError } from 'graphql'
import type { Caller, Credentials } from '../auth/caller.ts'
import type { Logger } from '../log.ts'
import { note, type Scope } from '../scope.ts'
import { type Followed, isFollowed } from '../subgraphs/followed.ts'
import type { OperationWork } from '../watched.ts'
import { publicAnswer, publicError } from './answer.ts'
import type { ContextFor } from './context.ts'
import type { Engine, OperationRequest } from './engine.ts'
import type { Refusals } from './refusals.ts'
import { SharedAnswers, sharingKey } from './shared-answers.ts'

/** A subscription that has begun. */
export interface Following {
  /** What happens; leaving ends it at once. What it ends with is told as errors are. */
  readonly events: AsyncIterator<unknown>
  /** Where the events are those of a log, by whose ids they can be followed anew. */
  readonly log: Followed<unknown> | null
  /** The answer to one event, as JSON. */
  answered(event: unknown): Promise<string>
}

export type SubscriptionRequest = Omit<OperationRequest, 'context' | 'rootValue'>

export interface Asker {
  readonly caller: Caller
  readonly credentials: Credentials
  readonly scope?: Scope
}

/** Begins a subscription, or says why not. `from` is the same document where it begins elsewhere than it says. */
export type Follow = (
  request: SubscriptionRequest,
  asker: Asker,
  from?: DocumentNode,
) => Promise<Following | ExecutionResult>

export const isBegun = (outcome: Following | ExecutionResult): outcome is Following => 'answered' in outcome

interface FollowFrom {
  readonly engine: Engine & { kindFor(request: SubscriptionRequest): OperationWork['engine'] }
  readonly contextFor: ContextFor
  readonly refusals: Pick<Refusals, 'answer'>
  readonly log: Logger
}

export function following({ engine, contextFor, refusals, log }: FollowFrom): Follow {
  const shared = new SharedAnswers()
  return async (request, asker, from = request.document) => {
    const { caller, credentials, scope } = asker
    note(scope, { operation: nameOf(request) ?? 'anonymous' })
    const forbidden = refusals.answer(caller, request)
    if (forbidden) return publicAnswer(forbidden, log, scope)
    // What is told the moment that it happens must be read where it happened.
    const context = () => contextFor(caller, credentials, scope, 'newest')
    const source = await engine.source({ ...request, document: from, context: context() })
    if (!(Symbol.asyncIterator in source)) return publicAnswer(source, log, scope)
    const answer = async (rootValue: unknown) =>
      JSON.stringify(
        publicAnswer(await engine.execute({ ...request, rootValue, context: context() }), log, scope),
      )
    const events = source[Symbol.asyncIterator]()
    const followed = isFollowed(events) ? events : null
    const refused = await followed?.startsAfter().then(
      () => null,
      (error: Error) => error,
    )
    if (refused) {
      await events.return?.()
      return { errors: [publicError(asGraphql(refused), log, scope)] }
    }
    const group = followed && shared.join(sharingKey(request, asker, engine.kindFor(request) === 'fused'))
    return {
      events: told(events, log, scope, () => group?.leave()),
      log: followed,
      answered: (event) => (group ? group.answerTo(event as object, answer) : answer(event)),
    }
  }
}

/** Names are callers' own words, of any length. */
const LONGEST_NAME = 100

export const nameOf = ({ document, operationName }: SubscriptionRequest): string | null =>
  getOperationAST(document, operationName)?.name?.value.slice(0, LONGEST_NAME) ?? null

/** What ends a subscription from within is told like any error. */
function told(
  events: AsyncIterator<unknown>,
  log: Logger,
  scope: Scope | undefined,
  left: () => void,
): AsyncIterator<unknown> {
  return {
    next: () =>
      events.next().catch((error: Error) => {
        throw publicError(asGraphql(error), log, scope)
      }),
    return() {
      left()
      return events.return?.() ?? Promise.resolve({ done: true, value: undefined })
    },
  }
}

const asGraphql = (error: Error) =>
  error instanceof GraphQLError ? error : new GraphQLError(error.message, { originalError: error })
