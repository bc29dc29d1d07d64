import { type Evidence, document, limits, oauth, feeds } from './sources.ts'

export const requests = {
  // Authentication.
  bearer: {
    mark: 'V',
    does: 'Organization tokens and OAuth access tokens are sent as Bearer.',
    source: document,
  },
  badToken: {
    mark: 'V',
    does: 'Without a valid token: 401 and `Invalid token.`',
    source: document,
  },
  errorBody: { mark: 'V', does: 'Every error is `{message, requestId}`.', source: document },
  oldErrors: {
    mark: 'I',
    does: 'Below `/v1` an error is plain text.',
    source: `${document}: one default answer, a string`,
    positions: ['text', 'object'],
  },
  missingScope: {
    mark: 'I',
    does: 'Only endpoints whose scope is missing refuse a token.',
    source: 'scopes are by endpoint; the status is not published',
    positions: ['403', '401'],
  },
  scopeNames: {
    mark: 'I',
    does: 'Scopes have the names of the dashboard; those of trailers, reports, webhooks and the organization are assumed.',
    source: document,
    fixed: 'a reader never sends a scope',
  },
  // OAuth.
  basic: {
    mark: 'V',
    does: 'The application signs in at the token endpoint with HTTP Basic.',
    source: oauth,
  },
  rotation: {
    mark: 'V',
    does: 'A refresh returns a new refresh token and ends the old one.',
    source: oauth,
  },
  tokenSeconds: {
    mark: 'I',
    does: 'An access token is valid for about an hour.',
    source: 'a comment in client code',
    positions: ['3600', '300'],
  },
  tokenErrors: {
    mark: 'I',
    does: "An error of the token endpoint has OAuth's format.",
    source: 'RFC 6749; every other endpoint has a message',
    positions: ['oauth', 'samsara'],
  },
  reuseEndsFamily: {
    mark: 'K',
    does: 'A used refresh token is refused and ends nothing else.',
    source: 'some servers end the whole family',
    positions: ['no', 'yes'],
  },
  code: {
    mark: 'K',
    does: 'A code is valid once, for ten minutes and one redirect URL; a challenge is ignored.',
    source: 'RFC 6749',
    fixed: 'no difference for a reader that follows the RFC',
  },
  // Rate limits.
  wholeBudgets: {
    mark: 'V',
    does: '150 requests per second and token, 200 per organization.',
    source: limits,
  },
  endpointBudgets: {
    mark: 'V',
    does: 'Limits by endpoint and organization as in the table of routes.',
    source: `${limits}; ${document}`,
  },
  unlistedPerSecond: {
    mark: 'I',
    does: 'Endpoints without a published limit have the older 25 per second.',
    source: limits,
    positions: ['25', '0'],
  },
  tooMany: {
    mark: 'V',
    does: 'Above a limit: 429, `Exceeded rate limit.`, Retry-After in fractions of a second.',
    source: limits,
  },
  slidingBudgets: {
    mark: 'I',
    does: 'A limit applies to any window of its length.',
    source: 'how it is counted is not published',
    fixed: 'the strictest way of counting: a client within it is within every other',
  },
  // Pages.
  pages: {
    mark: 'V',
    does: '`limit` is at most 512; `endCursor` and `hasNextPage` with every page.',
    source: document,
  },
  lastCursor: {
    mark: 'V',
    does: '`endCursor` may be empty.',
    source: document,
    positions: ['empty', 'kept'],
  },
  pageSize: {
    mark: 'I',
    does: 'A page without a limit has 512 items.',
    source: document,
    positions: ['512', '5'],
  },
  readingsPerPage: {
    mark: 'K',
    does: 'A page has 5000 readings; those of a vehicle can continue on the next page.',
    source: 'a guess',
    positions: ['5000', '200'],
  },
  feeds: {
    mark: 'V',
    does: 'A feed starts with the newest reading of each vehicle, then returns later arrivals.',
    source: feeds,
  },
  cursors: {
    mark: 'K',
    does: 'A cursor does not expire.',
    source: 'how long it lives is not published',
    positions: ['kept', 'forgotten'],
  },
  lateInFeeds: {
    mark: 'I',
    does: 'A feed returns late data, however old it is.',
    source: `${feeds}: all updates since the last request`,
    fixed: 'a reader that reads the history again gets it too',
  },
  openStreams: {
    mark: 'I',
    does: 'A stream without an end continues at its last cursor.',
    source: document,
    fixed: 'its last page has the same cursor as the others',
  },
} as const satisfies Evidence
