/** What holds for a connection in a state of its life (interface 3.1, gaps 2.1, decisions 8 and A45). */
export interface ConnectionState {
  /** Its provider is asked: by syncs, by polls, and by callers for what is only of now. */
  readonly isAsked: boolean
  /** Webhooks tell of its data. What happens to the connection itself is told in every state. */
  readonly tellsData: boolean
  /** Sessions see it, and what is open on it stays open. */
  readonly isOpen: boolean
  /** Its data go or are gone: what is left of it is a stub. */
  readonly isGone: boolean
}

const state = (...holds: readonly (keyof ConnectionState)[]): ConnectionState => ({
  isAsked: holds.includes('isAsked'),
  tellsData: holds.includes('tellsData'),
  isOpen: holds.includes('isOpen'),
  isGone: holds.includes('isGone'),
})

/** Every state, and what holds in it; how one leads to another is in `connections/transitions.ts`. */
export const connectionStates = {
  connected: state('isAsked', 'tellsData', 'isOpen'),
  disconnected: state('tellsData', 'isOpen'),
  archived: state(),
  pending_deletion: state(),
  deleting: state('isGone'),
  deleted: state('isGone'),
} as const

export type ConnectionStateName = keyof typeof connectionStates

/** Whether something holds for a connection in a state that is given by its name. */
export const holds = (status: unknown, what: keyof ConnectionState): boolean =>
  connectionStates[status as ConnectionStateName]?.[what] ?? false

/** The states in which something holds, as a list in SQL. */
export const statesSql = (what: keyof ConnectionState): string =>
  Object.keys(connectionStates)
    .filter((status) => holds(status, what))
    .map((status) => `'${status}'`)
    .join(', ')
