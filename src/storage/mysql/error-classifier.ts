import { DatabaseTimeout } from '../timeouts.ts'

/**
 * What a failure means for the work that met it. A `conflict`: the server gave the transaction up, and it may run
 * again at once. `lost`: the connection is of no use any more, another may be. `full`: nothing but time helps. Null:
 * the work itself is wrong.
 */
export type DatabaseErrorKind = 'conflict' | 'lost' | 'full' | null

/** Deadlock or Galera's certification, a lock not had in time, a row that has changed since the snapshot. */
const CONFLICTS = new Set([1213, 1205, 1020])

/** A node that is not in its cluster's majority, is shutting down, or may not write any more. */
const OTHER_SERVER = new Set([1047, 1053, 1290, 1792, 1836])

/** Too many connections (1040, 1203), a killed connection or statement (1317, 1927), a server or link that is gone. */
const LOST = new Set([
  1040,
  1203,
  1152,
  1158,
  1159,
  1160,
  1161,
  1184,
  1317,
  1927,
  2006,
  2013,
  ...OTHER_SERVER,
])

/** The disk, or a table. */
const FULL = new Set([1021, 1114])

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
  'ETIMEDOUT',
])

interface DriversError {
  readonly errno?: number
  readonly code?: string
  readonly fatal?: boolean
  readonly message?: string
}

export function classifyError(error: unknown): DatabaseErrorKind {
  if (error instanceof DatabaseTimeout) return 'lost'
  const { errno = 0, code = '', fatal, message } = error as DriversError
  if (CONFLICTS.has(errno)) return 'conflict'
  if (FULL.has(errno)) return 'full'
  if (LOST.has(errno) || LOST_CODES.has(code)) return 'lost'
  // A connection that was closed before the statement came to it.
  if (fatal === true && errno === 0 && code === '') return 'lost'
  return message === 'Queue limit reached.' ? 'full' : null
}

/** Whether the server itself says that another one must be asked. */
export const requiresOtherServer = (error: unknown): boolean =>
  OTHER_SERVER.has((error as DriversError).errno ?? 0)

export const isDuplicateKey = (error: unknown): boolean => (error as DriversError).errno === 1062
