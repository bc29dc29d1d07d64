import { ConnectionStatus } from '../connection.ts'

/** Trigger of a transition of a connection. */
export type Trigger =
  /** A caller sets the status of the connection. */
  | 'set_connected'
  | 'set_disconnected'
  | 'set_archived'
  /** A caller reconnects the connection, which does not cancel a deletion. */
  | 'reconnect'
  /** A caller disconnects the connection, which does not cancel a deletion. */
  | 'disconnect'
  /** A caller cancels the deletion. */
  | 'cancel_deletion'
  /** A caller requests the deletion. */
  | 'ask_deletion'
  /** The account is linked again, on the link pages or by a caller with credentials. */
  | 'link_again'
  /** The fleet signs in again through the link of the connection. */
  | 'sign_in'
  /** The provider refuses the credentials, in a request or in their renewal. */
  | 'refuse_credentials'
  /** The grace period has ended. */
  | 'begin_deletion'
  /** The data has been deleted. */
  | 'end_deletion'

export interface Transition {
  /** New status; `before` is the status before the deletion was requested. */
  readonly to: ConnectionStatus | 'before'
  /** Event to append; null if the status change itself has none. */
  readonly event: ChangeEvent | null
}

export type ChangeEvent = `connection.${
  'updated' | 'disconnected' | 'reconnected' | 'pending_deletion' | 'deleted'}`

/** `stays`: nothing happens. `refused`: the caller gets an error. */
export type Outcome = Transition | 'stays' | 'refused'

const { CONNECTED, DISCONNECTED, ARCHIVED, PENDING_DELETION, DELETING, DELETED } = ConnectionStatus

const reconnects: Transition = { to: CONNECTED, event: 'connection.reconnected' }
const disconnects: Transition = { to: DISCONNECTED, event: 'connection.disconnected' }
const archives: Transition = { to: ARCHIVED, event: 'connection.updated' }
const requestsDeletion: Transition = { to: PENDING_DELETION, event: 'connection.pending_deletion' }
const cancelsDeletion: Transition = { to: 'before', event: 'connection.updated' }

/**
 * A connection cannot be changed while its data is being deleted, or afterwards. A new link of its account creates
 * another connection.
 */
const whileDeleting = {
  set_connected: 'refused',
  set_disconnected: 'refused',
  set_archived: 'refused',
  reconnect: 'refused',
  disconnect: 'refused',
  cancel_deletion: 'refused',
  ask_deletion: 'refused',
  link_again: 'stays',
  sign_in: 'refused',
  refuse_credentials: 'stays',
  begin_deletion: 'stays',
} as const

/**
 * Transition table of connections, by status and trigger. Only the integrator or an operator can cancel a deletion,
 * never a fleet that signs in.
 */
export const transitions: Readonly<Record<ConnectionStatus, Readonly<Record<Trigger, Outcome>>>> = {
  connected: {
    set_connected: 'stays',
    set_disconnected: disconnects,
    set_archived: archives,
    reconnect: 'stays',
    disconnect: disconnects,
    cancel_deletion: 'refused',
    ask_deletion: requestsDeletion,
    link_again: { to: CONNECTED, event: null },
    sign_in: { to: CONNECTED, event: 'connection.updated' },
    refuse_credentials: disconnects,
    begin_deletion: 'stays',
    end_deletion: 'stays',
  },
  disconnected: {
    set_connected: reconnects,
    set_disconnected: 'stays',
    set_archived: archives,
    reconnect: reconnects,
    disconnect: 'stays',
    cancel_deletion: 'refused',
    ask_deletion: requestsDeletion,
    link_again: reconnects,
    sign_in: reconnects,
    refuse_credentials: 'stays',
    begin_deletion: 'stays',
    end_deletion: 'stays',
  },
  archived: {
    set_connected: reconnects,
    set_disconnected: disconnects,
    set_archived: 'stays',
    reconnect: reconnects,
    disconnect: disconnects,
    cancel_deletion: 'refused',
    ask_deletion: requestsDeletion,
    link_again: reconnects,
    sign_in: reconnects,
    refuse_credentials: 'stays',
    begin_deletion: 'stays',
    end_deletion: 'stays',
  },
  pending_deletion: {
    set_connected: cancelsDeletion,
    set_disconnected: { to: DISCONNECTED, event: 'connection.updated' },
    set_archived: archives,
    reconnect: 'refused',
    disconnect: 'refused',
    cancel_deletion: cancelsDeletion,
    ask_deletion: 'stays',
    link_again: 'stays',
    sign_in: 'refused',
    refuse_credentials: 'stays',
    begin_deletion: { to: DELETING, event: null },
    end_deletion: 'stays',
  },
  deleting: { ...whileDeleting, end_deletion: { to: DELETED, event: 'connection.deleted' } },
  deleted: { ...whileDeleting, end_deletion: 'stays' },
}

/** Statuses that a caller can set, with their triggers. */
const setters = {
  [CONNECTED]: 'set_connected',
  [DISCONNECTED]: 'set_disconnected',
  [ARCHIVED]: 'set_archived',
} as const satisfies Partial<Record<ConnectionStatus, Trigger>>

export type SettableStatus = keyof typeof setters

export const settableStatuses = Object.keys(setters) as SettableStatus[]

export const setterOf = (status: SettableStatus): Trigger => setters[status]

export const isSettable = (status: ConnectionStatus): status is SettableStatus =>
  Object.hasOwn(setters, status)

/** Returns the statuses in which a trigger causes a transition, in the order of the table. */
export const statesChangedBy = (trigger: Trigger): ConnectionStatus[] =>
  Object.values(ConnectionStatus).filter((status) => typeof transitions[status][trigger] !== 'string')
