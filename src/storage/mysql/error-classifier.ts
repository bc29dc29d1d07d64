import { hasNoRoom } from '../no-room.ts'
import { DatabaseTimeout } from '../timeouts.ts'

/**
 * Kind of a database error. `conflict`: the server rolled the transaction back, and it can run again at once. `lost`:
 * the connection is unusable, but another one may work. `full`: the database, or the queue for its connections, has
 * no room, so an immediate retry does not help.
 * Null: the statement itself is wrong.
 */
export type DatabaseErrorKind = 'conflict' | 'lost' | 'full' | null

/**
 * Deadlock (1213) or a certification conflict of Galera or Group Replication (1213, 3101), lock wait timeout (1205),
 * row changed since the snapshot (1020).
 */
const CONFLICTS = new Set([1213, 3101, 1205, 1020])

/** Errors of a server that left its cluster's majority, is shutting down, or became read-only. */
const OTHER_SERVER = new Set([1047, 1053, 1078, 1079, 1290, 1792, 1836])

const LOST = new Set([
  ...OTHER_SERVER,
  // Too many connections, of all accounts or of this one.
  1040,
  1203,
  1226,
  // The host is blocked after failed connections.
  1129,
  // Network errors.
  1152,
  1158,
  1159,
  1160,
  1161,
  1184,
  2006,
  2013,
  // The connection or the statement was killed, or took longer than the server allows.
  1080,
  1317,
  1927,
  1969,
  3024,
  // The server closed an idle connection.
  4031,
])

/** No memory, or no room for another transaction. */
const FULL = new Set([1037, 1038, 1041, 1637])

const LOST_CODES = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
])

interface MysqlError {
  readonly errno?: number
  readonly code?: string
  readonly fatal?: boolean
  readonly message?: string
}

export function classifyError(error: unknown): DatabaseErrorKind {
  if (error instanceof DatabaseTimeout) return 'lost'
  const { errno = 0, code = '', fatal, message } = error as MysqlError
  if (CONFLICTS.has(errno)) return 'conflict'
  if (FULL.has(errno) || hasNoRoom(error)) return 'full'
  if (LOST.has(errno) || LOST_CODES.has(code)) return 'lost'
  // The connection was closed before it ran the statement.
  if (fatal === true && errno === 0 && code === '') return 'lost'
  // Too many callers already wait for a connection of the pool.
  return message === 'Queue limit reached.' ? 'full' : null
}

/** Whether the server refuses work that another node of the cluster can do. */
export const requiresOtherServer = (error: unknown): boolean =>
  OTHER_SERVER.has((error as MysqlError).errno ?? 0)
