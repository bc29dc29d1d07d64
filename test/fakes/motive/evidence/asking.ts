import type { Ledger } from '../../kit/behaviours.ts'
import { CLIENTS, DOCS_2017, FORUM, REFERENCE, UNCHECKED } from './sources.ts'

/** How one signs in and asks. */
export const asking = {
  keys: { mark: 'V', does: 'takes an API key in X-Api-Key, which reads everything', source: REFERENCE },
  oauth: {
    mark: 'V',
    does: 'gives tokens for codes at POST /oauth/token, a form with client_id and client_secret',
    source: REFERENCE,
  },
  refreshAddress: { mark: 'V', does: 'wants redirect_uri in the refresh body too', source: REFERENCE },
  revocation: { mark: 'V', does: 'ends tokens at POST /oauth/revoke', source: REFERENCE },
  tokenSeconds: {
    mark: 'I',
    does: 'how long a token lives; expires_in says so',
    source: 'ArcGIS page: every two hours',
    positions: ['7200', '900'],
  },
  refreshTokens: {
    mark: 'K',
    does: 'whether a refresh gives another refresh token and ends the first, or the same again',
    source: UNCHECKED,
    positions: ['rotate', 'last'],
  },
  tokenErrors: {
    mark: 'K',
    does: 'what a refused grant looks like',
    source: 'RFC 6749, not checked',
    positions: ['oauth', 'as_elsewhere'],
  },
  scopes: {
    mark: 'V',
    does: 'a token reads what its scopes say, endpoint by endpoint; some names of scopes are guessed',
    source: REFERENCE,
  },
  missingScope: {
    mark: 'I',
    does: 'how a missing scope is refused',
    source: DOCS_2017,
    positions: ['403', '401'],
  },
  errorBody: {
    mark: 'K',
    does: 'what stands in a refusal; only its status is published',
    source: UNCHECKED,
    positions: ['error_message', 'errors', 'text', 'empty'],
  },
  noRetryAfter: {
    mark: 'V',
    does: 'a 429 does not say when to come back',
    source: `${REFERENCE}: not documented`,
  },
  envelope: {
    mark: 'V',
    does: 'a list of items, each wrapped in its singular, beside pagination {per_page, page_no, total}',
    source: DOCS_2017,
  },
  pages: {
    mark: 'V',
    does: 'per_page is 25 by itself and 100 at most: more is refused by 400',
    source: CLIENTS,
  },
  shifting: { mark: 'V', does: 'a page number counts from the list as it is at the call', source: REFERENCE },
  order: {
    mark: 'K',
    does: 'where the new ones of a list stand',
    source: UNCHECKED,
    positions: ['oldest_first', 'newest_first'],
  },
  updatedAfter: {
    mark: 'V',
    does: 'updated_after narrows vehicles, users, groups and the history of locations',
    source: REFERENCE,
  },
  happeningsChanged: {
    mark: 'I',
    does: 'updated_after narrows driving periods and performance events',
    source: FORUM,
    positions: ['honoured', 'ignored'],
  },
  speedingChanged: {
    mark: 'I',
    does: 'updated_after narrows speeding events',
    source: FORUM,
    positions: ['ignored', 'honoured'],
  },
  faultsChanged: {
    mark: 'K',
    does: 'updated_after narrows fault codes',
    source: UNCHECKED,
    positions: ['ignored', 'honoured'],
  },
  timeZone: {
    mark: 'V',
    does: 'dates are of X-Time-Zone, by its name in Rails; of UTC without',
    source: REFERENCE,
  },
  unknownZone: {
    mark: 'I',
    does: 'what becomes of a zone that Rails does not know',
    source: CLIENTS,
    positions: ['refused', 'utc'],
  },
  endDate: {
    mark: 'K',
    does: 'whether end_date itself is part of a period',
    source: UNCHECKED,
    positions: ['inclusive', 'exclusive'],
  },
  metricUnits: { mark: 'V', does: 'metric_units of a vehicle or user says its units', source: DOCS_2017 },
  metricHeader: {
    mark: 'I',
    does: 'whether X-Metric-Units counts; metric_units always says what is told',
    source: REFERENCE,
    positions: ['ignored', 'honoured'],
  },
  atOnce: { mark: 'V', does: '/v3/vehicle_locations/{id} takes 10 requests at once', source: REFERENCE },
  atOncePer: {
    mark: 'K',
    does: 'of whom those at once are counted',
    source: UNCHECKED,
    positions: ['company', 'credential'],
  },
  tooManyAtOnce: {
    mark: 'I',
    does: 'how one too many is refused',
    source: REFERENCE,
    positions: ['429', '503'],
  },
} as const satisfies Ledger
