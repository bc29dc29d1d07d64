import { Kind, visit } from 'graphql'
import type { Operation, OperationWithVariables } from './operation.ts'
import type { Requester } from './requester.ts'

/** The answers that are the same for everybody who asks the same of the same events: each is made once. */
export class SubscriptionResultCache {
  private readonly groups = new Map<string, Group>()

  /** How many different answers are made to an event. */
  get size(): number {
    return this.groups.size
  }

  join(key: string): CacheMembership {
    const group = this.groups.get(key) ?? { members: 0, answers: new WeakMap() }
    this.groups.set(key, group)
    group.members += 1
    let isMember = true
    return {
      answerTo(event, answer) {
        const known = group.answers.get(event)
        if (known) return known
        const made = answer(event)
        group.answers.set(event, made)
        made.catch(() => group.answers.delete(event))
        return made
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
  /** They are kept as long as the event is. */
  readonly answers: WeakMap<object, Promise<string>>
}

export interface CacheMembership {
  answerTo(event: object, answer: (event: object) => Promise<string>): Promise<string>
  leave(): void
}

/**
 * What two subscriptions must have in common to be answered alike: the operation, every variable that can show in an
 * answer, and what their callers may see. Where subgraphs of other processes are asked, they are asked with a
 * caller's own credentials, so those must be the same too.
 */
export function sharingKey(
  { operation, variables }: OperationWithVariables,
  { caller, credentials }: Requester,
  isLocal: boolean,
): string {
  const places = placeVariables(operation)
  const shown = Object.entries(variables ?? {}).filter(([name]) => !places.has(name))
  return JSON.stringify([
    numberOf(operation),
    shown,
    JSON.stringify(caller, withoutIdentity),
    isLocal ? null : [credentials.authorization, credentials.connectionToken],
  ])
}

/** Of a session or a key counts what it may read, not which one it is. */
const withoutIdentity = (name: string, value: unknown): unknown =>
  name === 'id' || name === 'expiresAt' ? undefined : value

const numbers = new WeakMap<Operation, number>()
let numbered = 0

function numberOf(operation: Operation): number {
  const known = numbers.get(operation)
  if (known !== undefined) return known
  numbered += 1
  numbers.set(operation, numbered)
  return numbered
}

const known = new WeakMap<Operation, ReadonlySet<string>>()

/** The variables that only say where to begin: the value of `after` at the root, and used nowhere else. */
function placeVariables(operation: Operation): ReadonlySet<string> {
  const before = known.get(operation)
  if (before) return before
  const uses = new Map<string, number>()
  visit(operation.document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => void uses.set(name.value, (uses.get(name.value) ?? 0) + 1),
  })
  const only = new Set(placesIn(operation).filter((name) => uses.get(name) === 1))
  known.set(operation, only)
  return only
}

const placesIn = ({ definition }: Operation): string[] =>
  definition.selectionSet.selections
    .flatMap((selection) => (selection.kind === Kind.FIELD ? (selection.arguments ?? []) : []))
    .flatMap(({ name, value }) =>
      name.value === 'after' && value.kind === Kind.VARIABLE ? [value.name.value] : [],
    )
