import { type ExecutionResult, GraphQLError, type GraphQLSchema, type SelectionNode, visit } from 'graphql'
import {
  type Caller,
  isReadOnly,
  readOnlySessionError,
  requireKeyScope,
  requireSessionScope,
  scopedAccessOf,
} from '../../auth/caller.ts'
import type { KeyScope } from '../../auth/key-scopes.ts'
import { isPublic, PublicError } from '../../domain/errors.ts'
import type { Operation, OperationWithVariables } from '../operation.ts'
import { conditionsIn, valuesOf } from '../execution/conditions.ts'
import { scopesOfRoot } from './field-scopes.ts'
import { type RequiredScopes, requiredScopes } from './required-scopes.ts'

export interface Authorizer {
  /**
   * Throws if a session without a role runs a mutation, or if the operation requires a scope that the caller lacks. Every
   * operation is checked, also those that custom subgraphs answer.
   */
  authorize(caller: Caller, request: OperationWithVariables): void
  /** Returns the error of `authorize` as a result; null if the operation is permitted. */
  denialOf(caller: Caller, request: OperationWithVariables): ExecutionResult | null
  /** Returns the key scopes that an operation requires. */
  scopesOf(request: OperationWithVariables): readonly KeyScope[]
}

/**
 * Creates an authorizer that caches the required scopes by operation and values of its conditions. A key without
 * scopes lacks only `admin`. For such a key, the scopes are computed only if the operation may require `admin`.
 */
export function createAuthorizer(schema: GraphQLSchema): Authorizer {
  const operations = new WeakMap<Operation, AnalyzedOperation>()
  const analyzedOf = (operation: Operation): AnalyzedOperation => {
    const analyzed = operations.get(operation) ?? analyze(operation)
    operations.set(operation, analyzed)
    return analyzed
  }
  const requiredOf = (request: OperationWithVariables): RequiredScopes =>
    cachedScopes(analyzedOf(request.operation), request, () => requiredScopes(request, schema))
  const authorize = (caller: Caller, request: OperationWithVariables): void => {
    const { operation } = request
    if (isReadOnly(caller)) {
      if (operation.type === 'mutation') throw readOnlySessionError()
      const { roots, scopes } = requiredOf(request)
      // A session may not read a field without a scope, such as one of a custom subgraph.
      for (const field of roots) denyRootToSession(caller, field)
      for (const scope of scopes) requireKeyScope(caller, scope)
      return
    }
    const holder = scopedAccessOf(caller)
    if (holder !== null && (holder.scopes !== null || analyzedOf(operation).mayRequireAdmin)) {
      const { roots, scopes } = requiredOf(request)
      if (holder.scopes !== null) denyUnknownRoots(caller, roots)
      for (const scope of scopes) requireKeyScope(caller, scope)
    }
  }
  return {
    authorize,
    denialOf(caller, request) {
      try {
        authorize(caller, request)
        return null
      } catch (error) {
        if (!isPublic(error)) throw error
        return { data: null, errors: [new GraphQLError(error.message, { originalError: error })] }
      }
    },
    scopesOf: (request) => requiredOf(request).scopes,
  }
}

function denyRootToSession(caller: Caller, field: string): void {
  const scope = scopesOfRoot(field)?.session
  if (!scope) throw new PublicError('forbidden', `A session cannot read \`${field}\`.`)
  if (scope !== 'any') requireSessionScope(caller, scope)
}

/** Rejects root fields of custom subgraphs: no scope permits them. */
function denyUnknownRoots({ session }: Caller, roots: readonly string[]): void {
  const unknown = roots.find((field) => scopesOfRoot(field) === null)
  if (unknown === undefined) return
  const holder = session === null ? 'A key with scopes' : 'A session'
  throw new PublicError('forbidden', `${holder} cannot use \`${unknown}\`.`, {
    detail: 'No scope covers this field. Use a secret key without scopes.',
  })
}

interface AnalyzedOperation {
  /** Variables of `@skip` and `@include`. */
  readonly conditions: readonly string[]
  readonly mayRequireAdmin: boolean
  /** Required scopes by the values of the conditions. */
  readonly required: Map<string, RequiredScopes>
}

/** Maximum number of cached value combinations per operation. Callers choose the conditions and their values. */
const MAX_CONDITION_SETS = 64

function analyze({ document }: Operation): AnalyzedOperation {
  const conditions = new Set<string>()
  let mayRequireAdmin = false
  const addConditions = ({ directives }: SelectionNode) => {
    for (const name of conditionsIn(directives)) conditions.add(name)
  }
  visit(document, {
    Field(node) {
      addConditions(node)
      mayRequireAdmin ||= scopesOfRoot(node.name.value)?.key === 'admin'
    },
    FragmentSpread: addConditions,
    InlineFragment: addConditions,
  })
  return { conditions: [...conditions], mayRequireAdmin, required: new Map() }
}

function cachedScopes(
  { conditions, required }: AnalyzedOperation,
  { operation, variables }: OperationWithVariables,
  compute: () => RequiredScopes,
): RequiredScopes {
  const values = conditions.length === 0 ? {} : valuesOf(operation.definition, variables ?? {})
  const conditionKey = conditions
    .map((name) => (typeof values[name] === 'boolean' ? Number(values[name]) : '?'))
    .join('')
  const cached = required.get(conditionKey)
  if (cached) return cached
  if (required.size >= MAX_CONDITION_SETS) required.clear()
  const scopes = compute()
  required.set(conditionKey, scopes)
  return scopes
}
