import type { BehaviourTable } from '../../kit/behaviours.ts'
import { ADAPTER, DOCS, UNCHECKED, PROBES } from './sources.ts'

/** Feeds and searches. */
export const reading = {
  feedOrder: { mark: 'V', does: 'Feeds are in order of arrival: late data comes late', source: PROBES },
  bareFeed: {
    mark: 'V',
    does: 'A feed without version and date is empty, at the current version',
    source: PROBES,
  },
  feedFromDate: { mark: 'V', does: 'A feed from a date returns what has arrived since', source: PROBES },
  unknownVersion: {
    mark: 'K',
    does: 'A feed from an unknown version is refused, or returns everything',
    source: UNCHECKED,
    positions: ['refused', 'all'],
  },
  feedLimits: {
    mark: 'V',
    does: 'Feeds return 50,000 at most, of rosters 5,000, whatever the limit',
    source: DOCS,
  },
  feedTypes: { mark: 'I', does: 'There is no feed of Group, FailureMode and Controller', source: DOCS },
  getLimit: { mark: 'V', does: 'Get refuses to return more than 50,000', source: DOCS },
  tooManyResults: {
    mark: 'I',
    does: 'Too many results are an OverLimitException too, without Retry-After; its wording varies',
    source: PROBES,
    positions: ['are a result', 'are results'],
  },
  getCut: {
    mark: 'V',
    does: 'Get of rosters and ExceptionEvent is silently truncated at 5,000',
    source: PROBES,
  },
  getPages: {
    mark: 'V',
    does: 'Get has pages by id with sort and offset, except for ExceptionEvent',
    source: PROBES,
  },
  tripSearch: {
    mark: 'V',
    does: 'A trip is found by its stop, an exception by any part of it',
    source: PROBES,
  },
  timeSearch: {
    mark: 'K',
    does: 'Other types are found by dateTime, both ends inclusive',
    source: UNCHECKED,
  },
  silentSearch: { mark: 'V', does: 'A search without matches is empty, not an error', source: PROBES },
  availability: {
    mark: 'V',
    does: 'DutyStatusAvailability takes one driver at a time and has no feed',
    source: ADAPTER,
  },
} as const satisfies BehaviourTable
