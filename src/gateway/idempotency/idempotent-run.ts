import { type ExecutionResult, GraphQLError, Kind, print } from 'graphql'
import type { Caller } from '../../auth/caller.ts'
import { codeFromGraphql, errorCodes, isPublic, PublicError } from '../../domain/errors.ts'
import { onlyConnectionOf } from '../../domain/tenant-scope.ts'
import type { Logger } from '../../platform/logging/log.ts'
import type { LogContext } from '../../platform/logging/log-context.ts'
import type {
  IdempotencyStore,
  KeyClaim,
  KeyState,
} from '../../subgraphs/connections/requests/idempotency-store.ts'
import type { OperationRequest } from '../execution/executor.ts'
import { maskErrors } from '../error-masking.ts'
import type { Operation } from '../operation.ts'
import { refusalResult } from '../refusal.ts'
import { canonicalJson } from './canonical-json.ts'

/** Members of an operation context that decide about its idempotency key. */
interface KeyedContext {
  readonly caller?: Caller
  readonly logContext?: LogContext
  /** Idempotency key as the client sent it. */
  readonly idempotencyKey?: string | undefined
}

/** Interface of an operation. The answers of the two have different forms. */
export type Interface = 'graphql' | 'rest'

type Run = () => Promise<ExecutionResult>

/**
 * Returns a function that runs an operation and masks the errors of its result. It runs a mutation once for each
 * idempotency key, and answers repetitions with the stored result. Other operations ignore the key.
 *
 * The answer is stored after the change has committed. If the process dies in between, the key stays in use until its
 * lease ends, and the same request then runs again.
 */
export function createIdempotentRun(store: IdempotencyStore | undefined, log: Logger) {
  return async (request: OperationRequest, via: Interface, run: Run): Promise<ExecutionResult> => {
    const { caller, logContext, idempotencyKey: key } = request.context as KeyedContext
    const runMasked = async () => maskErrors(await run(), log, logContext)
    if (!store || !caller || key === undefined || request.operation.type !== 'mutation') return runMasked()
    try {
      const begun = await begin(store, request, via, { caller, key })
      if (begun.state === 'claimed') return await runClaimed(begun.claim, request.operation, runMasked, log)
      if (logContext) logContext.isReplayed = true
      return begun.result
    } catch (error) {
      if (logContext && isPublic(error)) logContext.refusal = error
      return maskErrors(refusalResult(error as Error), log, logContext)
    }
  }
}

type Begun =
  | Extract<KeyState, { readonly state: 'claimed' }>
  | { readonly state: 'answered'; readonly result: ExecutionResult }

/** Claims the key, or returns the result of an earlier request. Throws if the key cannot be used. */
async function begin(
  store: IdempotencyStore,
  request: OperationRequest,
  via: Interface,
  { caller, key }: Required<Pick<KeyedContext, 'caller'>> & { readonly key: string },
): Promise<Begun> {
  if (!VALID_KEY.test(key))
    throw new PublicError(
      'bad_request',
      'The idempotency key must be 1 to 255 characters of printable ASCII.',
    )
  const begun = await store.begin({
    applicationId: caller.applicationId,
    connectionId: onlyConnectionOf(caller),
    key,
    content: contentOf(request, via, caller),
  })
  switch (begun.state) {
    case 'claimed':
      return begun
    case 'reused':
      throw new PublicError(
        'idempotency_key_reused',
        'Another request has used this idempotency key. Send a new key with each new request.',
      )
    case 'running':
      throw new PublicError('idempotency_key_in_use', 'A request with this idempotency key is running.', {
        retryAfterSeconds: 1,
      })
    case 'answered':
      if (begun.answer !== null) return { state: 'answered', result: resultOf(begun.answer) }
      throw new PublicError('conflict', 'The request has run, but its answer was too large to keep.')
  }
}

/** Printable ASCII, as the longest key of other services: 255 characters. */
const VALID_KEY = /^[\x20-\x7e]{1,255}$/

/** Runs an operation, then stores its result or releases the key. */
async function runClaimed(
  claim: KeyClaim,
  operation: Operation,
  run: Run,
  log: Logger,
): Promise<ExecutionResult> {
  // The change has committed. The caller gets its result even if the key cannot be written.
  const write = (written: Promise<void>) =>
    written.catch((err: unknown) => log.warn({ err }, 'idempotency key write failed'))
  try {
    const result = await run()
    await write(isFinal(operation, result) ? claim.keep(JSON.stringify(result)) : claim.release())
    return result
  } catch (error) {
    await write(claim.release())
    throw error
  }
}

/** Returns a text that is the same for a repetition of the request by the same kind of caller. */
const contentOf = (
  { operation, variables }: OperationRequest,
  via: Interface,
  { connectionIds, key }: Caller,
): string =>
  canonicalJson([
    // A later version of a route may select more fields. Its name identifies it.
    via === 'rest' ? operation.name : print(operation.document),
    via,
    variables ?? {},
    connectionIds,
    // Otherwise a key could read an answer that its scopes do not permit.
    key?.scopes?.toSorted() ?? null,
  ])

/**
 * Whether to keep a result. A refused or failed request is not kept, so that it can be repeated, unless an earlier
 * mutation of the same operation has succeeded.
 */
function isFinal(operation: Operation, { data, errors = [] }: ExecutionResult): boolean {
  const canRepeat = errors.some(({ extensions }) => !FINAL_STATUSES.has(statusOf(extensions['code'])))
  const first = firstKeyOf(operation)
  const changedNothing =
    Object.values(data ?? {}).every((payload) => payload === null) &&
    errors.every(({ path }) => path === undefined || path[0] === first)
  return !(canRepeat && changedNothing)
}

/** Statuses of errors by the state of a record. A repetition gets the same error. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([404, 409, 410, 422])

const statusOf = (code: unknown): number => errorCodes[codeFromGraphql(code)].status

/** Returns the response key of the first mutation; undefined if a fragment contains it. */
function firstKeyOf({ definition }: Operation): string | undefined {
  const [first] = definition.selectionSet.selections
  return first?.kind === Kind.FIELD ? (first.alias ?? first.name).value : undefined
}

/** Result as JSON. */
interface StoredResult extends Omit<ExecutionResult, 'errors'> {
  readonly errors?: readonly ReturnType<GraphQLError['toJSON']>[]
}

function resultOf(answer: string): ExecutionResult {
  const { errors, ...result } = JSON.parse(answer) as StoredResult
  if (!errors) return result
  const restored = errors.map(({ message, locations, path, extensions }) =>
    Object.assign(new GraphQLError(message, { path, extensions }), { locations }),
  )
  return { errors: restored, ...result }
}
