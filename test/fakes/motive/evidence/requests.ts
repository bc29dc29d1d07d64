import type { BehaviourTable } from '../../kit/behaviours.ts'
import { CLIENTS, DOCS_2017, FORUM, REFERENCE, UNCHECKED } from './sources.ts'

export const requests = {
  keys: { mark: 'V', does: 'takes an API key in X-Api-Key, which has every scope', source: REFERENCE },
  oauth: {
    mark: 'V',
    does: 'returns tokens for codes at POST /oauth/token, a form with client_id and client_secret',
    source: REFERENCE,
  },
  refreshAddress: { mark: 'V', does: 'wants redirect_uri in the refresh body too', source: REFERENCE },
  revocation: { mark: 'V', does: 'ends tokens at POST /oauth/revoke', source: REFERENCE },
  tokenSeconds: {
    mark: 'I',
    does: 'lifetime of a token, as in expires_in',
    source: 'ArcGIS page: every two hours',
    positions: ['7200', '900'],
  },
  refreshTokens: {
    mark: 'K',
    does: 'whether a refresh returns a new refresh token and ends the first, or returns the same',
    source: UNCHECKED,
    positions: ['rotate', 'last'],
  },
  tokenErrors: {
    mark: 'K',
    does: 'format of a refused grant',
    source: 'RFC 6749, not checked',
    positions: ['oauth', 'as_elsewhere'],
  },
  scopes: {
    mark: 'V',
    does: 'each endpoint requires a scope; some names of scopes are assumed',
    source: REFERENCE,
  },
  missingScope: {
    mark: 'I',
    does: 'error of a missing scope',
    source: DOCS_2017,
    positions: ['403', '401'],
  },
  errorBody: {
    mark: 'K',
    does: 'body of an error; only its status is documented',
    source: UNCHECKED,
    positions: ['error_message', 'errors', 'text', 'empty'],
  },
  noRetryAfter: {
    mark: 'V',
    does: 'a 429 has no retry time',
    source: `${REFERENCE}: not documented`,
  },
  envelope: {
    mark: 'V',
    does: 'a list of items, each wrapped in its singular, with pagination {per_page, page_no, total}',
    source: DOCS_2017,
  },
  pages: {
    mark: 'V',
    does: 'per_page is 25 by default and 100 at most: more gets 400',
    source: CLIENTS,
  },
  shifting: {
    mark: 'V',
    does: 'a page number counts in the list at the time of the call',
    source: REFERENCE,
  },
  order: {
    mark: 'K',
    does: 'position of new items in a list',
    source: UNCHECKED,
    positions: ['oldest_first', 'newest_first'],
  },
  updatedAfter: {
    mark: 'V',
    does: 'updated_after filters vehicles, users, groups and the history of locations',
    source: REFERENCE,
  },
  happeningsChanged: {
    mark: 'I',
    does: 'updated_after filters driving periods and performance events',
    source: FORUM,
    positions: ['honoured', 'ignored'],
  },
  speedingChanged: {
    mark: 'I',
    does: 'updated_after filters speeding events',
    source: FORUM,
    positions: ['ignored', 'honoured'],
  },
  faultsChanged: {
    mark: 'K',
    does: 'updated_after filters fault codes',
    source: UNCHECKED,
    positions: ['ignored', 'honoured'],
  },
  timeZone: {
    mark: 'V',
    does: 'dates are in X-Time-Zone, by its Rails name; in UTC by default',
    source: REFERENCE,
  },
  unknownZone: {
    mark: 'I',
    does: 'effect of a zone that Rails does not know',
    source: CLIENTS,
    positions: ['refused', 'utc'],
  },
  endDate: {
    mark: 'K',
    does: 'whether a period includes end_date',
    source: UNCHECKED,
    positions: ['inclusive', 'exclusive'],
  },
  metricUnits: { mark: 'V', does: 'metric_units of a vehicle or user gives its units', source: DOCS_2017 },
  metricHeader: {
    mark: 'I',
    does: 'whether X-Metric-Units has an effect; metric_units always gives the units',
    source: REFERENCE,
    positions: ['ignored', 'honoured'],
  },
  atOnce: { mark: 'V', does: '/v3/vehicle_locations/{id} takes 10 requests at once', source: REFERENCE },
  atOncePer: {
    mark: 'K',
    does: 'caller key of the concurrency limit',
    source: UNCHECKED,
    positions: ['company', 'credential'],
  },
  tooManyAtOnce: {
    mark: 'I',
    does: 'error above the concurrency limit',
    source: REFERENCE,
    positions: ['429', '503'],
  },
} as const satisfies BehaviourTable
