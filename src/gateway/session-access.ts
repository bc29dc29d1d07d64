import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'
import { type Caller, readOnlySession, refuseWithoutScope } from '../auth/caller.ts'
import { SessionScope } from '../auth/session-scope.ts'
import { isPublic, PublicError } from '../errors.ts'

/** The root fields that a session may ask, by the scope that each takes. What is not here, a session may not. */
const readable: Readonly<Record<SessionScope, string>> = {
  READ_CONNECTIONS:
    'connection connections sync syncs syncProgress issue issues node nodes provider providers',
  READ_FLEET: 'vehicle vehicles driver drivers trailer trailers group groups device devices',
  READ_RECORDS:
    'trip trips safetyEvent safetyEvents cameraMedia hosLog hosLogs hosDailyLog hosDailyLogs hosAvailableTimes faultCodeEvent faultCodeEvents vehicleUtilization iftaSummary',
  READ_TELEMETRY: 'vehicleLocations trailerLocations',
  READ_EVENTS: 'events',
}

const scopes = new Map(
  Object.values(SessionScope).flatMap((scope) =>
    readable[scope].split(' ').map((field) => [field, scope] as const),
  ),
)

/** The scope that a session needs for a root field; null where none is enough. */
export const scopeFor = (rootField: string): SessionScope | null => scopes.get(rootField) ?? null

interface Operation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
}

/**
 * Refuses a session whatever changes something, and what it was not given. It stands in front of every operation, also
 * of those that an operator's own subgraphs answer.
 */
export function refuseBeyondSession(caller: Caller, { document, operationName }: Operation): void {
  if (caller.session === null) return
  const operation = getOperationAST(document, operationName)
  if (!operation) return
  if (operation.operation === 'mutation') throw readOnlySession()
  for (const field of rootFieldsOf(operation, document)) {
    const scope = scopeFor(field)
    if (!scope) throw new PublicError('forbidden', `A session may not read \`${field}\`.`)
    refuseWithoutScope(caller, scope)
  }
}

/** The same as an answer. */
export function refusedTo(caller: Caller, operation: Operation): ExecutionResult | null {
  try {
    refuseBeyondSession(caller, operation)
    return null
  } catch (error) {
    if (!isPublic(error)) throw error
    return { data: null, errors: [new GraphQLError(error.message, { originalError: error })] }
  }
}

function rootFieldsOf({ selectionSet }: OperationDefinitionNode, { definitions }: DocumentNode): Set<string> {
  const found = new Set<string>()
  const spread = new Set<string>()
  const look = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) look(selection.selectionSet.selections)
      else if (selection.kind === Kind.FIELD) found.add(selection.name.value)
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value)
        for (const definition of definitions)
          if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value)
            look(definition.selectionSet.selections)
      }
    }
  }
  look(selectionSet.selections)
  return new Set([...found].filter((field) => !field.startsWith('__')))
}
