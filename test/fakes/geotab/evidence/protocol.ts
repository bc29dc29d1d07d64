import type { BehaviourTable } from '../../kit/behaviours.ts'
import { DOCS, UNCHECKED, PROBES, SDKS } from './sources.ts'

export const protocol = {
  jsonRpc: {
    mark: 'V',
    does: 'Calls are JSON-RPC posts to /apiv1, credentials in their params',
    source: SDKS,
  },
  path: {
    mark: 'V',
    does: 'Authenticate returns the host of all later calls, or ThisServer; no other host has the database',
    source: SDKS,
    positions: ['ThisServer', 'another'],
  },
  refusals: { mark: 'V', does: 'Refusals arrive with status 200', source: PROBES },
  errorNames: {
    mark: 'V',
    does: 'An error has its type in data.type, in errors[0].name or in both',
    source: SDKS,
    positions: ['both', 'data', 'errors'],
  },
  invalidUser: { mark: 'V', does: 'A bad login and an expired session have the same error', source: PROBES },
  sessionDays: {
    mark: 'K',
    does: 'Lifetime of a session in days',
    source: UNCHECKED,
    positions: ['14', '1'],
  },
  dbUnavailable: { mark: 'V', does: 'The message contains Initializing or UnknownDatabase', source: SDKS },
  unknownType: { mark: 'V', does: 'An unknown type gives the error of an unknown method', source: PROBES },
  notJson: {
    mark: 'V',
    does: 'An invalid JSON body gives JsonSerializerException, code -32700',
    source: PROBES,
  },
  limits: {
    mark: 'V',
    does: 'Each method has a limit for each type, user and database: Authenticate 10 a minute, GetFeed 60',
    source: `${DOCS}, ${PROBES}`,
  },
  getsPerMinute: {
    mark: 'I',
    does: 'Gets per minute; sources differ',
    source: `${DOCS}, ${PROBES}`,
    positions: ['1200', '650', '500'],
  },
  overLimit: {
    mark: 'I',
    does: 'OverLimitException arrives with this status, and whole seconds in Retry-After',
    source: PROBES,
    positions: ['200', '429'],
  },
  multiCall: {
    mark: 'V',
    does: 'Runs its calls one by one and fails as a whole, with requestIndex',
    source: DOCS,
  },
  multiCallSpends: {
    mark: 'K',
    does: 'A multi-call uses the limits of its calls, or one call of its own',
    source: UNCHECKED,
    positions: ['each', 'once'],
  },
} as const satisfies BehaviourTable
