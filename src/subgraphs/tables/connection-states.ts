/** Flags of a connection status. */
export interface ConnectionState {
  /** Syncs, polls and requests of callers can call the provider of the connection. */
  readonly allowsProviderCalls: boolean
  /** Webhooks deliver the events of its records. Events of the connection itself are delivered in every status. */
  readonly deliversData: boolean
  /** Sessions can read the connection, and open streams of its connection token and its sessions stay open. */
  readonly isAccessible: boolean
  /** Its data is deleted or being deleted; only a stub of the row remains. */
  readonly isDeleted: boolean
}

const withFlags = (...flags: readonly (keyof ConnectionState)[]): ConnectionState => ({
  allowsProviderCalls: flags.includes('allowsProviderCalls'),
  deliversData: flags.includes('deliversData'),
  isAccessible: flags.includes('isAccessible'),
  isDeleted: flags.includes('isDeleted'),
})

/** Flags by connection status. The transitions between statuses are in `connections/lifecycle/transitions.ts`. */
export const connectionStates = {
  connected: withFlags('allowsProviderCalls', 'deliversData', 'isAccessible'),
  disconnected: withFlags('deliversData', 'isAccessible'),
  archived: withFlags(),
  pending_deletion: withFlags(),
  deleting: withFlags('isDeleted'),
  deleted: withFlags('isDeleted'),
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
