import { ConnectionStatus } from '../connection.ts'

/** What can happen to a connection. */
export type Trigger =
  /** A caller sets its status. */
  | 'set_connected'
  | 'set_disconnected'
  | 'set_archived'
  /** A caller asks for its deletion. */
  | 'ask_deletion'
  /** Its account is linked once more, by a run of the link pages or by a caller who has the credentials. */
  | 'link_again'
  /** Its fleet signs in to it again, by its link. */
  | 'sign_in'
  /** Whoever asks its provider, or renews the credentials, finds that they are no longer accepted. */
  | 'refuse_credentials'
  /** Its grace period is over. */
  | 'begin_deletion'
  /** Its data are gone. */
  | 'end_deletion'

export interface Transition {
  /** Where it gets to; `before` is the state that it had when its deletion was asked for. */
  readonly to: ConnectionStatus | 'before'
  /** What tells of it; nothing does of what is only a step between two that are told. */
  readonly event: ChangeEvent | null
}

export type ChangeEvent = `connection.${
  'updated' | 'disconnected' | 'reconnected' | 'pending_deletion' | 'deleted'}`

/** `stays`: nothing happens. `refused`: whoever tried is told that it cannot be. */
export type Outcome = Transition | 'stays' | 'refused'

const { CONNECTED, DISCONNECTED, ARCHIVED, PENDING_DELETION, DELETING, DELETED } = ConnectionStatus

const reconnects: Transition = { to: CONNECTED, event: 'connection.reconnected' }
const disconnects: Transition = { to: DISCONNECTED, event: 'connection.disconnected' }
const archives: Transition = { to: ARCHIVED, event: 'connection.updated' }
const waits: Transition = { to: PENDING_DELETION, event: 'connection.pending_deletion' }

/** Of a connection whose data go nothing can be changed; its account, linked once more, gets another connection. */
const whileDeleting = {
  set_connected: 'refused',
  set_disconnected: 'refused',
  set_archived: 'refused',
  ask_deletion: 'refused',
  link_again: 'stays',
  sign_in: 'refused',
  refuse_credentials: 'stays',
  begin_deletion: 'stays',
} as const

/**
 * The life of a connection: by the state that it is in, then by what happens (interface 3.1, gaps 2.1). A deletion is
 * called off by whoever has the key, never by a fleet that signs in.
 */
export const transitions: Readonly<Record<ConnectionStatus, Readonly<Record<Trigger, Outcome>>>> = {
  connected: {
    set_connected: 'stays',
    set_disconnected: disconnects,
    set_archived: archives,
    ask_deletion: waits,
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
    ask_deletion: waits,
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
    ask_deletion: waits,
    link_again: reconnects,
    sign_in: reconnects,
    refuse_credentials: 'stays',
    begin_deletion: 'stays',
    end_deletion: 'stays',
  },
  pending_deletion: {
    set_connected: { to: 'before', event: 'connection.updated' },
    set_disconnected: { to: DISCONNECTED, event: 'connection.updated' },
    set_archived: archives,
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

/** The states that a caller can set, and what sets them. */
const setters = {
  [CONNECTED]: 'set_connected',
  [DISCONNECTED]: 'set_disconnected',
  [ARCHIVED]: 'set_archived',
} as const satisfies Partial<Record<ConnectionStatus, Trigger>>

export type Settable = keyof typeof setters

export const settable = Object.keys(setters) as Settable[]

export const setterOf = (status: Settable): Trigger => setters[status]

export const isSettable = (status: ConnectionStatus): status is Settable => Object.hasOwn(setters, status)

/** The states in which something has an effect, in the order of the table. */
export const statesMovedBy = (trigger: Trigger): ConnectionStatus[] =>
  Object.values(ConnectionStatus).filter((status) => typeof transitions[status][trigger] !== 'string')
