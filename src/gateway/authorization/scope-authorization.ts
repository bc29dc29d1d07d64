import { type ExecutionResult, GraphQLError, type GraphQLSchema, type SelectionNode, visit } from 'graphql'
import { type Caller, readOnlySession, requireKeyScope, requireScope } from '../../auth/caller.ts'
import type { KeyScope } from '../../auth/key-scopes.ts'
import { isPublic, PublicError } from '../../domain/errors.ts'
import type { Operation, OperationWithVariables } from '../operation.ts'
import { conditionsIn, valuesOf } from '../selected-fields.ts'
import { scopesOfRoot } from './field-scopes.ts'
import { type RequiredScopes, requiredScopes } from './required-scopes.ts'

export interface Authorizer {
  /**
   * Refuses a session whatever changes something, and whoever asks what goes beyond its scopes. It stands in front of
   * every operation, also of those that an operator's own subgraphs answer.
   */
  authorize(caller: Caller, request: OperationWithVariables): void
  /** The same as an answer. */
  denialOf(caller: Caller, request: OperationWithVariables): ExecutionResult | null
  /** The scopes of a key that an operation takes. */
  scopesOf(request: OperationWithVariables): readonly KeyScope[]
}

/** An operation is looked through once for each way that its conditions fall; for keys without scopes next to nothing is. */
export function createAuthorizer(schema: GraphQLSchema): Authorizer {
  const operations = new WeakMap<Operation, AnalyzedOperation>()
  const analyzedOf = (operation: Operation): AnalyzedOperation => {
    const known = operations.get(operation) ?? analyze(operation)
    operations.set(operation, known)
    return known
  }
  const requiredOf = (request: OperationWithVariables): RequiredScopes =>
    cachedScopes(analyzedOf(request.operation), request, () => requiredScopes(request, schema))
  const authorize = (caller: Caller, request: OperationWithVariables): void => {
    const { key, session } = caller
    const { operation } = request
    if (session !== null) {
      if (operation.type === 'mutation') throw readOnlySession()
      const { roots, scopes } = requiredOf(request)
      for (const field of roots) denyRootToSession(caller, field)
      if (session.keyScopes !== null) denyUnknownRoots(roots)
      for (const scope of scopes) requireKeyScope(caller, scope)
    } else if (key !== null && (key.scopes !== null || analyzedOf(operation).mayTakeAdmin)) {
      const { roots, scopes } = requiredOf(request)
      if (key.scopes !== null) denyUnknownRoots(roots)
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
  if (!scope) throw new PublicError('forbidden', `A session may not read \`${field}\`.`)
  requireScope(caller, scope)
}

/** What an operator's own subgraphs add to the root has no scope. */
function denyUnknownRoots(roots: readonly string[]): void {
  const unknown = roots.find((field) => scopesOfRoot(field) === null)
  if (unknown === undefined) return
  throw new PublicError('forbidden', `A key that has scopes may not ask \`${unknown}\`.`, {
    detail: 'No scope is for it: ask with a key without scopes.',
  })
}

interface AnalyzedOperation {
  /** The variables on which it depends what is asked for. */
  readonly conditions: readonly string[]
  readonly mayTakeAdmin: boolean
  readonly required: Map<string, RequiredScopes>
}

/** A caller may name a hundred conditions, and have each fall in either way. */
const MAX_CONDITION_SETS = 64

function analyze({ document }: Operation): AnalyzedOperation {
  const conditions = new Set<string>()
  let mayTakeAdmin = false
  const note = ({ directives }: SelectionNode) => {
    for (const name of conditionsIn(directives)) conditions.add(name)
  }
  visit(document, {
    Field(node) {
      note(node)
      mayTakeAdmin ||= scopesOfRoot(node.name.value)?.key === 'admin'
    },
    FragmentSpread: note,
    InlineFragment: note,
  })
  return { conditions: [...conditions], mayTakeAdmin, required: new Map() }
}

function cachedScopes(
  { conditions, required }: AnalyzedOperation,
  { operation, variables }: OperationWithVariables,
  look: () => RequiredScopes,
): RequiredScopes {
  const values = conditions.length === 0 ? {} : valuesOf(operation.definition, variables ?? {})
  const way = conditions
    .map((name) => (typeof values[name] === 'boolean' ? Number(values[name]) : '?'))
    .join('')
  const known = required.get(way)
  if (known) return known
  if (required.size >= MAX_CONDITION_SETS) required.clear()
  const found = look()
  required.set(way, found)
  return found
}
