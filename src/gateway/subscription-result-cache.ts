import { Kind, visit } from 'graphql'
import type { Operation, OperationWithVariables } from './operation.ts'
import type { Requester } from './requester.ts'

/** Cache of subscription results. Subscriptions with the same sharing key share one result per event. */
export class SubscriptionResultCache {
  private readonly groups = new Map<string, Group>()

  /** Number of groups of subscriptions; each group has one result per event. */
  get size(): number {
    return this.groups.size
  }

  join(key: string): CacheMembership {
    const group = this.groups.get(key) ?? { members: 0, results: new WeakMap() }
    this.groups.set(key, group)
    group.members += 1
    let isMember = true
    return {
      resultFor(event, compute) {
        const cached = group.results.get(event)
        if (cached) {
          cached.members -= 1
          if (cached.members === 0) group.results.delete(event)
          return cached.result
        }
        const result = compute(event)
        if (group.members === 1) return result
        group.results.set(event, { result, members: group.members - 1 })
        result.catch(() => group.results.delete(event))
        return result
      },
      leave: () => {
        if (!isMember) return
        isMember = false
        group.members -= 1
        if (group.members === 0) this.groups.delete(key)
      },
    }
  }
}

interface Group {
  members: number
  /** Results by event. A result is kept until all members have it, at most as long as its event. */
  readonly results: WeakMap<object, SharedResult>
}

interface SharedResult {
  readonly result: Promise<string>
  /** Number of members that do not have the result yet. */
  members: number
}

/** Membership of a subscription in its group. */
export interface CacheMembership {
  /** Returns the result of the group for an event. Computes it if no other member has. */
  resultFor(event: object, compute: (event: object) => Promise<string>): Promise<string>
  /** Leaves the group. The last member to leave deletes it. */
  leave(): void
}

/**
 * Returns the key under which subscriptions share results. It covers the operation, every variable that can
 * change a result, and what the caller may see. Requests to remote subgraphs carry the credentials of the
 * caller, so these must be equal too unless the operation is local.
 */
export function sharingKey(
  { operation, variables }: OperationWithVariables,
  { caller, credentials }: Requester,
  isLocal: boolean,
): string {
  const ignored = resumeVariables(operation)
  const relevant = Object.entries(variables ?? {}).filter(([name]) => !ignored.has(name))
  return JSON.stringify([
    operationIdOf(operation),
    relevant,
    JSON.stringify(caller, withoutIdentity),
    isLocal ? null : [credentials.authorization, credentials.connectionToken],
  ])
}

/** Omits the id and the expiry of a session or key: a result depends only on its rights. */
const withoutIdentity = (name: string, value: unknown): unknown =>
  name === 'id' || name === 'expiresAt' ? undefined : value

const operationIds = new WeakMap<Operation, number>()
let lastOperationId = 0

function operationIdOf(operation: Operation): number {
  const cached = operationIds.get(operation)
  if (cached !== undefined) return cached
  lastOperationId += 1
  operationIds.set(operation, lastOperationId)
  return lastOperationId
}

const resumeVariablesCache = new WeakMap<Operation, ReadonlySet<string>>()

/**
 * Returns the variables whose only use is the argument `after` of a root field. They set where the stream starts
 * and do not change the result for an event.
 */
function resumeVariables(operation: Operation): ReadonlySet<string> {
  const cached = resumeVariablesCache.get(operation)
  if (cached) return cached
  const uses = new Map<string, number>()
  visit(operation.document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => void uses.set(name.value, (uses.get(name.value) ?? 0) + 1),
  })
  const variables = new Set(rootAfterVariables(operation).filter((name) => uses.get(name) === 1))
  resumeVariablesCache.set(operation, variables)
  return variables
}

const rootAfterVariables = ({ definition }: Operation): string[] =>
  definition.selectionSet.selections
    .flatMap((selection) => (selection.kind === Kind.FIELD ? (selection.arguments ?? []) : []))
    .flatMap(({ name, value }) =>
      name.value === 'after' && value.kind === Kind.VARIABLE ? [value.name.value] : [],
    )
