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
import { type Caller, readOnlySession, refuseWithoutKeyScope, refuseWithoutScope } from '../auth/caller.ts'
import type { KeyScope } from '../auth/key-scopes.ts'
import { isPublic, PublicError } from '../errors.ts'
import { conditionsIn, valuesOf } from './asked-fields.ts'
import { scopesOfRoot } from './field-scopes.ts'
import { type Taken, takenBy } from './taken-scopes.ts'

interface Operation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
}

export interface Refusals {
  /**
   * Refuses a session whatever changes something, and whoever asks what goes beyond its scopes. It stands in front of
   * every operation, also of those that an operator's own subgraphs answer.
   */
  refuse(caller: Caller, operation: Operation): void
  /** The same as an answer. */
  answer(caller: Caller, operation: Operation): ExecutionResult | null
  /** The scopes of a key that an operation takes. */
  scopesOf(operation: Operation): readonly KeyScope[]
}

/** A document is looked through once for each way that its conditions fall; for keys without scopes next to nothing is. */
export function refusalsOver(schema: GraphQLSchema): Refusals {
  const documents = new WeakMap<DocumentNode, KnownDocument>()
  const knownOf = (document: DocumentNode): KnownDocument => {
    const known = documents.get(document) ?? know(document)
    documents.set(document, known)
    return known
  }
  const takenOf = (operation: Operation): Taken & { readonly isMutation: boolean } => {
    const { document, operationName, variables } = operation
    const asked = getOperationAST(document, operationName)
    if (!asked) return { roots: [], scopes: [], isMutation: false }
    const taken = remembered(knownOf(document), asked, variables ?? {}, () =>
      takenBy({ document, operation: asked, variables: variables ?? {} }, schema),
    )
    return { ...taken, isMutation: asked.operation === 'mutation' }
  }
  const refuse = (caller: Caller, operation: Operation): void => {
    const { key, session } = caller
    if (session !== null) {
      const { roots, scopes, isMutation } = takenOf(operation)
      if (isMutation) throw readOnlySession()
      for (const field of roots) refuseRootToSession(caller, field)
      if (session.keyScopes !== null) refuseUnknownRoots(roots)
      for (const scope of scopes) refuseWithoutKeyScope(caller, scope)
    } else if (key !== null && (key.scopes !== null || knownOf(operation.document).mayTakeAdmin)) {
      const { roots, scopes } = takenOf(operation)
      if (key.scopes !== null) refuseUnknownRoots(roots)
      for (const scope of scopes) refuseWithoutKeyScope(caller, scope)
    }
  }
  return {
    refuse,
    answer(caller, operation) {
      try {
        refuse(caller, operation)
        return null
      } catch (error) {
        if (!isPublic(error)) throw error
        return { data: null, errors: [new GraphQLError(error.message, { originalError: error })] }
      }
    },
    scopesOf: (operation) => takenOf(operation).scopes,
  }
}

function refuseRootToSession(caller: Caller, field: string): void {
  const scope = scopesOfRoot(field)?.session
  if (!scope) throw new PublicError('forbidden', `A session may not read \`${field}\`.`)
  refuseWithoutScope(caller, scope)
}

/** What an operator's own subgraphs add to the root has no scope. */
function refuseUnknownRoots(roots: readonly string[]): void {
  const unknown = roots.find((field) => scopesOfRoot(field) === null)
  if (unknown === undefined) return
  throw new PublicError('forbidden', `A key that has scopes may not ask \`${unknown}\`.`, {
    detail: 'No scope is for it: ask with a key without scopes.',
  })
}

interface KnownDocument {
  /** The variables on which it depends what is asked for. */
  readonly conditions: readonly string[]
  readonly mayTakeAdmin: boolean
  readonly taken: Map<string, Taken>
}

/** A caller may name a hundred conditions, and have each fall in either way. */
const MOST_WAYS = 64

function know(document: DocumentNode): KnownDocument {
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
  return { conditions: [...conditions], mayTakeAdmin, taken: new Map() }
}

function remembered(
  { conditions, taken }: KnownDocument,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  look: () => Taken,
): Taken {
  const values = conditions.length === 0 ? {} : valuesOf(operation, variables)
  const fallen = conditions.map((name) => (typeof values[name] === 'boolean' ? Number(values[name]) : '?'))
  const way = `${operation.name?.value ?? ''} ${fallen.join('')}`
  const known = taken.get(way)
  if (known) return known
  if (taken.size >= MOST_WAYS) taken.clear()
  const found = look()
  taken.set(way, found)
  return found
}
