import { ConnectionStatus } from './connection.ts'

/** What setting a status does to a connection (interface 3.1, gaps 2.1). */
export interface Transition {
  /** Where it gets to; `before` is the state that it had when its deletion was asked for. */
  readonly to: ConnectionStatus | 'before'
  /** The event that tells of it; other changes are told by `connection.updated`. */
  readonly event?: 'connection.disconnected' | 'connection.reconnected'
}

const { CONNECTED, DISCONNECTED, ARCHIVED } = ConnectionStatus

export const settable = [CONNECTED, DISCONNECTED, ARCHIVED] as const

export type Settable = (typeof settable)[number]

export const isSettable = (status: ConnectionStatus): status is Settable =>
  settable.some((one) => one === status)

/** By the state that a connection is in, then by the status that is set. What is not here is refused. */
export const transitions: Readonly<Record<ConnectionStatus, Readonly<Record<Settable, Transition>> | null>> =
  {
    connected: {
      connected: { to: CONNECTED },
      disconnected: { to: DISCONNECTED, event: 'connection.disconnected' },
      archived: { to: ARCHIVED },
    },
    disconnected: {
      connected: { to: CONNECTED, event: 'connection.reconnected' },
      disconnected: { to: DISCONNECTED },
      archived: { to: ARCHIVED },
    },
    archived: {
      connected: { to: CONNECTED, event: 'connection.reconnected' },
      disconnected: { to: DISCONNECTED, event: 'connection.disconnected' },
      archived: { to: ARCHIVED },
    },
    pending_deletion: {
      connected: { to: 'before' },
      disconnected: { to: DISCONNECTED },
      archived: { to: ARCHIVED },
    },
    deleting: null,
    deleted: null,
  }
