/**
 * GraphQL selections of the records of which REST has a part, in the order of the REST members. A spread such
 * as `...Trip` selects a whole record: see record-selection.ts. `…Fields` is the selection of an expanded
 * reference: its own references are ids.
 */

const user = '{ sourceId firstName lastName email }'

export const connection = `id status provider { code name } company { name dotNumbers }
  account { name dotNumbers user ${user} } syncMode token options linkUrl externalId sourceId tags filters
  createdAt updatedAt deletedAt`

const ofIssue = 'error { code message } firstReportedAt lastReportedAt resolutionType documentationUrl'

export const issueFields = `id status connection { id } ${ofIssue}`

/** Variables: $connection. */
export const issue = `id status connection { id } wholeConnection: connection @include(if: $connection) { ${connection} }
  ${ofIssue}`

const ofSync = 'id status requestedAt completedAt failureReason progress startFrom attempts providerRequests'

export const syncFields = `${ofSync} issues { id }`

/** Variables: $issues. */
export const sync = `${ofSync} issues @skip(if: $issues) { id } wholeIssues: issues @include(if: $issues) { ${issueFields} }`

/** Connection of the token. Only this record has `lastSync` and `agreements`. */
export const currentConnection = `${connection} lastSync { ${syncFields} }
  agreements { id applicationId connectionId agreementUrl acceptedAt acceptedBy ${user} location ipAddress userAgent }`

export const shortLink = 'id code url expiresAt'

export const webhookEndpoint = `id url description types connectionIds tags ordering concurrency ratePerSecond
  retrySeconds headers { name maskedValue } status disabledReason disabledAt backlog pendingDeliveries lastSuccessAt failingSince
  secrets { id createdAt expiresAt } createdAt modifiedAt`

export const webhookDelivery = `id endpointId eventId type status attemptCount nextAttemptAt lastAttemptAt lastStatusCode
  createdAt attempts { id number attemptedAt durationMs outcome error
    request { url headers body } response { statusCode headers body } }`
