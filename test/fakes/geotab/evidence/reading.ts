import type { Ledger } from '../../kit/behaviours.ts'
import { ADAPTER, DOCS, HEARSAY, PROBES } from './sources.ts'

/** How records are found and listed. */
export const reading = {
  feedOrder: { mark: 'V', does: 'Feeds tell in order of arrival: what is late comes late', source: PROBES },
  bareFeed: {
    mark: 'V',
    does: 'A feed without version and date is empty, at the version of now',
    source: PROBES,
  },
  feedFromDate: { mark: 'V', does: 'A feed from a date tells what arrived since', source: PROBES },
  unknownVersion: {
    mark: 'K',
    does: 'A feed from a version that the server no longer knows is refused, or tells all that there is',
    source: HEARSAY,
    positions: ['refused', 'all'],
  },
  feedLimits: {
    mark: 'V',
    does: 'Feeds give 50,000 at most, of rosters 5,000, whatever is asked',
    source: DOCS,
  },
  feedTypes: { mark: 'I', does: 'There is no feed of Group, FailureMode and Controller', source: DOCS },
  getLimit: { mark: 'V', does: 'Get refuses to give more than 50,000', source: DOCS },
  tooManyResults: {
    mark: 'I',
    does: 'That is an OverLimitException too, without Retry-After; what it says is not of calls, but of results',
    source: PROBES,
    positions: ['are a result', 'are results'],
  },
  getCut: {
    mark: 'V',
    does: 'Get of rosters and ExceptionEvent is cut at 5,000 without a word',
    source: PROBES,
  },
  getPages: {
    mark: 'V',
    does: 'Get pages by id with sort and offset, not of ExceptionEvent',
    source: PROBES,
  },
  tripSearch: {
    mark: 'V',
    does: 'A trip is found by its stop, an exception by any part of it',
    source: PROBES,
  },
  timeSearch: { mark: 'K', does: 'Others are found by dateTime, both ends included', source: HEARSAY },
  silentSearch: { mark: 'V', does: 'A search that nothing answers to is empty, no error', source: PROBES },
  availability: {
    mark: 'V',
    does: 'DutyStatusAvailability is of one driver at a time, no feed',
    source: ADAPTER,
  },
} as const satisfies Ledger
