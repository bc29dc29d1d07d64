import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from 'graphql'
import { type Caller, readOnlySession, requireKeyScope, requireScope } from '../../auth/caller.ts'
import type { KeyScope } from '../../auth/key-scopes.ts'
import { isPublic, PublicError } from '../../domain/errors.ts'
import { conditionsIn, valuesOf } from '../selected-fields.ts'
import { scopesOfRoot } from './field-scopes.ts'
import { type RequiredScopes, requiredScopes } from './required-scopes.ts'

interface Operation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
}

export interface Authorizer {
  /**
   * Refuses a session whatever changes something, and whoever asks what goes beyond its scopes. It stands in front of
   * every operation, also of those that an operator's own subgraphs answer.
   */
  authorize(caller: Caller, operation: Operation): void
  /** The same as an answer. */
  denialOf(caller: Caller, operation: Operation): ExecutionResult | null
  /** The scopes of a key that an operation takes. */
  scopesOf(operation: Operation): readonly KeyScope[]
}

/** A document is looked through once for each way that its conditions fall; for keys without scopes next to nothing is. */
export function createAuthorizer(schema: GraphQLSchema): Authorizer {
  const documents = new WeakMap<DocumentNode, AnalyzedDocument>()
  const analyzedOf = (document: DocumentNode): AnalyzedDocument => {
    const known = documents.get(document) ?? analyze(document)
    documents.set(document, known)
    return known
  }
  const requiredOf = (operation: Operation): RequiredScopes & { readonly isMutation: boolean } => {
    const { document, operationName, variables } = operation
    const asked = getOperationAST(document, operationName)
    if (!asked) return { roots: [], scopes: [], isMutation: false }
    const required = cachedScopes(analyzedOf(document), asked, variables ?? {}, () =>
      requiredScopes({ document, operation: asked, variables: variables ?? {} }, schema),
    )
    return { ...required, isMutation: asked.operation === 'mutation' }
  }
  const authorize = (caller: Caller, operation: Operation): void => {
    const { key, session } = caller
    if (session !== null) {
      const { roots, scopes, isMutation } = requiredOf(operation)
      if (isMutation) throw readOnlySession()
      for (const field of roots) denyRootToSession(caller, field)
      if (session.keyScopes !== null) denyUnknownRoots(roots)
      for (const scope of scopes) requireKeyScope(caller, scope)
    } else if (key !== null && (key.scopes !== null || analyzedOf(operation.document).mayTakeAdmin)) {
      const { roots, scopes } = requiredOf(operation)
      if (key.scopes !== null) denyUnknownRoots(roots)
      for (const scope of scopes) requireKeyScope(caller, scope)
    }
  }
  return {
    authorize,
    denialOf(caller, operation) {
      try {
        authorize(caller, operation)
        return null
      } catch (error) {
        if (!isPublic(error)) throw error
        return { data: null, errors: [new GraphQLError(error.message, { originalError: error })] }
      }
    },
    scopesOf: (operation) => requiredOf(operation).scopes,
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

interface AnalyzedDocument {
  /** The variables on which it depends what is asked for. */
  readonly conditions: readonly string[]
  readonly mayTakeAdmin: boolean
  readonly required: Map<string, RequiredScopes>
}

/** A caller may name a hundred conditions, and have each fall in either way. */
const MAX_CONDITION_SETS = 64

function analyze(document: DocumentNode): AnalyzedDocument {
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
  { conditions, required }: AnalyzedDocument,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  look: () => RequiredScopes,
): RequiredScopes {
  const values = conditions.length === 0 ? {} : valuesOf(operation, variables)
  const fallen = conditions.map((name) => (typeof values[name] === 'boolean' ? Number(values[name]) : '?'))
  const way = `${operation.name?.value ?? ''} ${fallen.join('')}`
  const known = required.get(way)
  if (known) return known
  if (required.size >= MAX_CONDITION_SETS) required.clear()
  const found = look()
  required.set(way, found)
  return found
}
