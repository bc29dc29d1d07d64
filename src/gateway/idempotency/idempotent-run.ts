import { type ExecutionResult, GraphQLError, Kind, print } from 'graphql'
import { type Caller, scopedAccessOf } from '../../auth/caller.ts'
import { codeFromGraphql, errorCodes, isPublic, PublicError } from '../../domain/errors.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { isIdempotencyKey } from '../../domain/text.ts'
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

/** Members of an operation context that the idempotent run reads. */
interface KeyedContext {
  readonly caller?: Caller
  readonly logContext?: LogContext
  /** Idempotency key as the client sent it. */
  readonly idempotencyKey?: string | undefined
}

/** API through which a client sends an operation. Answers of GraphQL and REST differ in form. */
export type Interface = 'graphql' | 'rest'

type Run = () => Promise<ExecutionResult>

/**
 * Returns a function that runs an operation and masks the errors of its result. It stores the final result of a mutation
 * under its idempotency key, and answers repetitions with it. Other operations ignore the key, and so do mutations whose
 * input has one.
 *
 * The result is stored after the change has committed. If the process dies in between, or the result cannot be stored,
 * the key stays in use until its lease ends. A repetition then runs the mutation again.
 */
export function createIdempotentRun(store: IdempotencyStore | undefined, log: Logger) {
  return async (request: OperationRequest, via: Interface, run: Run): Promise<ExecutionResult> => {
    const { caller, logContext, idempotencyKey: key } = request.context as KeyedContext
    const runMasked = async () => maskErrors(await run(), log, logContext)
    if (!store || !caller || key === undefined || request.operation.type !== 'mutation') return runMasked()
    if (hasKeyInInput(request.operation)) return runMasked()
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

type ClaimOrResult =
  | Extract<KeyState, { readonly state: 'claimed' }>
  | { readonly state: 'answered'; readonly result: ExecutionResult }

/** Claims the key, or returns the result of an earlier request. Throws if the key cannot be used. */
async function begin(
  store: IdempotencyStore,
  request: OperationRequest,
  via: Interface,
  { caller, key }: Required<Pick<KeyedContext, 'caller'>> & { readonly key: string },
): Promise<ClaimOrResult> {
  if (!isIdempotencyKey(key))
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

/**
 * Mutations whose input has a key of its own, which their change stores. The key of the request would only delay them: it
 * is written before and after the change.
 */
const KEYED_MUTATIONS: ReadonlySet<string> = new Set(['checkPurchase', 'captureForCheck'])

const hasKeyInInput = ({ definition }: Operation): boolean =>
  definition.selectionSet.selections.every(
    (selection) => selection.kind === Kind.FIELD && KEYED_MUTATIONS.has(selection.name.value),
  )

/** Runs an operation, then stores its result or releases the key. */
async function runClaimed(
  claim: KeyClaim,
  operation: Operation,
  run: Run,
  log: Logger,
): Promise<ExecutionResult> {
  // A failed write of the key does not change the outcome of the request.
  const logFailure = (write: Promise<void>) =>
    write.catch((err: unknown) => log.warn({ err }, 'idempotency key write failed'))
  try {
    const result = await run()
    await logFailure(isFinal(operation, result) ? claim.keep(JSON.stringify(result)) : claim.release())
    return result
  } catch (error) {
    await logFailure(claim.release())
    throw error
  }
}

/**
 * Returns a text that identifies the request. A repetition has it if its caller has the same connections and scopes, and
 * is the same session, if it is one.
 */
const contentOf = ({ operation, variables }: OperationRequest, via: Interface, caller: Caller): string =>
  canonicalJson([
    // A route is identified by the name of its operation, because a later version may select more fields.
    via === 'rest' ? operation.name : print(operation.document),
    via,
    variables ?? {},
    caller.connectionIds,
    // Otherwise a secret key could read an answer that its scopes do not permit.
    scopedAccessOf(caller)?.scopes?.toSorted() ?? null,
    // A key's answer can contain what no session reads.
    ...(caller.session === null ? [] : [caller.session.id]),
  ])

/**
 * Whether to keep a result. It is discarded if a retry can avoid one of its errors, and no mutation of the operation has
 * succeeded: the client can then repeat the request with the same key.
 */
function isFinal(operation: Operation, { data, errors = [] }: ExecutionResult): boolean {
  const canRepeat = errors.some(({ extensions }) => !FINAL_STATUSES.has(statusOf(extensions['code'])))
  const first = firstKeyOf(operation)
  const changedNothing =
    Object.values(data ?? {}).every((payload) => payload === null) &&
    errors.every(({ path }) => path === undefined || path[0] === first)
  return !(canRepeat && changedNothing)
}

/** Statuses of errors that the state of a record causes. A retry cannot avoid them. */
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
