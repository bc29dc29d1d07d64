import { type Evidence, document, limits, oauth, feeds } from './sources.ts'

/** Signing in, budgets and pages. */
export const asking = {
  // Whoever asks.
  bearer: {
    mark: 'V',
    does: 'Organization tokens and OAuth access tokens are sent as Bearer.',
    source: document,
  },
  badToken: {
    mark: 'V',
    does: 'Without a good token: 401 and `Invalid token.`',
    source: document,
  },
  errorBody: { mark: 'V', does: 'Every error is `{message, requestId}`.', source: document },
  oldErrors: {
    mark: 'I',
    does: 'Below `/v1` an error is a text and nothing else.',
    source: `${document}: one default answer, a string`,
    positions: ['text', 'object'],
  },
  missingScope: {
    mark: 'I',
    does: 'A token without the scope of an endpoint is refused there and nowhere else.',
    source: 'scopes are by endpoint; the status is not published',
    positions: ['403', '401'],
  },
  scopeNames: {
    mark: 'I',
    does: 'Scopes have the names of the dashboard; those of trailers, reports, webhooks and the organization are guessed.',
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
    does: 'A refresh gives a new refresh token and spends the old one.',
    source: oauth,
  },
  tokenSeconds: {
    mark: 'I',
    does: 'An access token lives about an hour.',
    source: 'a comment in client code',
    positions: ['3600', '300'],
  },
  tokenErrors: {
    mark: 'I',
    does: 'A refusal of the token endpoint has the words of OAuth.',
    source: 'RFC 6749; every other endpoint has a message',
    positions: ['oauth', 'samsara'],
  },
  reuseEndsFamily: {
    mark: 'K',
    does: 'A spent refresh token is refused and ends nothing else.',
    source: 'some servers end the whole family',
    positions: ['no', 'yes'],
  },
  code: {
    mark: 'K',
    does: 'A code lives ten minutes, once, for the address it was asked with; a challenge is not looked at.',
    source: 'RFC 6749',
    fixed: 'a reader that keeps to the RFC sees no difference',
  },
  // Limits.
  wholeBudgets: {
    mark: 'V',
    does: '150 requests per second and token, 200 per organization.',
    source: limits,
  },
  endpointBudgets: {
    mark: 'V',
    does: 'Budgets by endpoint and organization as the table of routes tells.',
    source: `${limits}; ${document}`,
  },
  unlistedPerSecond: {
    mark: 'I',
    does: 'Endpoints without a published budget have the older 25 per second.',
    source: limits,
    positions: ['25', '0'],
  },
  tooMany: {
    mark: 'V',
    does: 'Beyond it: 429, `Exceeded rate limit.`, Retry-After in fractions of a second.',
    source: limits,
  },
  slidingBudgets: {
    mark: 'I',
    does: 'A budget is that of any stretch of its length.',
    source: 'how it is counted is not published',
    fixed: 'the strictest way of counting: who keeps to it keeps to every other',
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
    does: 'A page of readings has 5000, and a vehicle may go on on the next.',
    source: 'a guess',
    positions: ['5000', '200'],
  },
  feeds: {
    mark: 'V',
    does: 'A feed starts with the newest of each vehicle, then gives what has arrived since.',
    source: feeds,
  },
  cursors: {
    mark: 'K',
    does: 'A cursor is good for as long as anybody keeps it.',
    source: 'how long it lives is not published',
    positions: ['kept', 'forgotten'],
  },
  lateInFeeds: {
    mark: 'I',
    does: 'A feed gives what arrives late, however old it is.',
    source: `${feeds}: all updates since the last request`,
    fixed: 'a reader that reads history again has it too',
  },
  openStreams: {
    mark: 'I',
    does: 'A stream without an end goes on from its last cursor.',
    source: document,
    fixed: 'its last page has the same cursor as any other',
  },
} as const satisfies Evidence
