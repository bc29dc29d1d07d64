/** Flags of a connection status. */
export interface ConnectionState {
  /** Syncs, polls and live requests may call its provider. */
  readonly allowsProviderCalls: boolean
  /** Webhooks deliver events of its data. Events of the connection itself are delivered in every status. */
  readonly deliversData: boolean
  /** Its connection token and sessions have access to it, and its open streams stay open. */
  readonly isAccessible: boolean
  /** Its data is deleted or being deleted; only a stub of the row remains. */
  readonly isDeleted: boolean
}

const state = (...flags: readonly (keyof ConnectionState)[]): ConnectionState => ({
  allowsProviderCalls: flags.includes('allowsProviderCalls'),
  deliversData: flags.includes('deliversData'),
  isAccessible: flags.includes('isAccessible'),
  isDeleted: flags.includes('isDeleted'),
})

/** Flags by connection status. The transitions between statuses are in `connections/lifecycle/transitions.ts`. */
export const connectionStates = {
  connected: state('allowsProviderCalls', 'deliversData', 'isAccessible'),
  disconnected: state('deliversData', 'isAccessible'),
  archived: state(),
  pending_deletion: state(),
  deleting: state('isDeleted'),
  deleted: state('isDeleted'),
} as const

export type ConnectionStateName = keyof typeof connectionStates

/** Whether a connection status has a flag. */
export const hasStatusFlag = (status: unknown, flag: keyof ConnectionState): boolean =>
  connectionStates[status as ConnectionStateName]?.[flag] ?? false

/** Returns the statuses with a flag as an SQL list. */
export const statesSql = (flag: keyof ConnectionState): string =>
  Object.keys(connectionStates)
    .filter((status) => hasStatusFlag(status, flag))
    .map((status) => `'${status}'`)
    .join(', ')
