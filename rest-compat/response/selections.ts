// GraphQL selections of records that have only part of their fields in REST, in the order of the REST members. Other
// routes select a record by `...Trip`: see record-selection.ts. A selection named `…Fields` is for an expanded
// reference: its own references are ids.

const user = '{ sourceId firstName lastName email }'

export const connection = `id status provider { code name } company { name dotNumbers }
  account { name dotNumbers user ${user} } syncMode token options linkUrl externalId sourceId tags filters
  createdAt updatedAt deletedAt`

const issueMembers = 'error { code message } firstReportedAt lastReportedAt resolutionType documentationUrl'

export const issueFields = `id status connection { id } ${issueMembers}`

/** The operation needs the variable `$connection`. */
export const issue = `id status connection { id } wholeConnection: connection @include(if: $connection) { ${connection} }
  ${issueMembers}`

const syncMembers =
  'id status requestedAt completedAt failureReason progress startFrom attempts providerRequests'

export const syncFields = `${syncMembers} issues { id }`

/** The operation needs the variable `$issues`. */
export const sync = `${syncMembers} issues @skip(if: $issues) { id } wholeIssues: issues @include(if: $issues) { ${issueFields} }`

/** Connection of the token. Other routes return connections without `lastSync` and `agreements`. */
export const currentConnection = `${connection} lastSync { ${syncFields} }
  agreements { id applicationId connectionId agreementUrl acceptedAt acceptedBy ${user} location ipAddress userAgent }`

export const shortLink = 'id code url expiresAt'

export const webhookEndpoint = `id url description types connectionIds tags ordering concurrency ratePerSecond
  retrySeconds headers { name maskedValue } status disabledReason disabledAt backlog pendingDeliveries lastSuccessAt failingSince
  secrets { id createdAt expiresAt } createdAt modifiedAt`

export const webhookDelivery = `id endpointId eventId type status attemptCount nextAttemptAt lastAttemptAt lastStatusCode
  createdAt attempts { id number attemptedAt durationMs outcome error
    request { url headers body } response { statusCode headers body } }`

/** Selections of records in details of events, by GraphQL type. Records of other types have all fields of REST. */
export const eventRecords: Readonly<Record<string, string>> = {
  Connection: connection,
  Sync: syncFields,
  Issue: issueFields,
}

/** Parts of records in details of events, by the name that the catalog of event types uses. */
export const eventRecordParts = {
  ConnectionReference: {
    type: 'Connection',
    selection: 'id provider { code name } externalId tags',
    description: 'The connection of a record.',
  },
  LinkMetadata: {
    type: 'Connection',
    selection: 'externalId tags',
    description: 'The external id and the tags of a link run. Those of an existing connection may differ.',
  },
  DisabledEndpoint: {
    type: 'WebhookEndpoint',
    selection: 'id url description types disabledReason disabledAt',
    description: 'A webhook endpoint that was disabled.',
  },
}
