import { z } from 'zod'
import { pageInfo, pageShape, mutationShape } from '../response/response-shape.ts'
import { dateOrDateTime, expand, id, oneOf, page } from '../request/query-params.ts'
import { issue, issueFields } from '../response/selections.ts'
import { route } from '../route.ts'

const tag = 'Issues'

export const listIssues = route({
  method: 'GET',
  path: '/issues',
  summary: 'List issues',
  tag,
  auth: 'key',
  query: z.object({
    ...page,
    lastReportedAfter: dateOrDateTime,
    lastReportedBefore: dateOrDateTime,
    connectionId: id('connection'),
    errorCode: oneOf(
      'permission_missing',
      'oauth_scope_missing',
      'subscription_required',
      'retention_window_exceeded',
      'provider_data_inaccessible',
      'invalid_source_identifier',
      'unsupported_device_type',
      'stream_disabled',
      'provider_provisioning_pending',
      'provider_feature_not_enabled',
      'missing_vehicle_identifier',
      'missing_vehicle_assignment',
      'provider_capability_not_supported',
      'provider_source_data_invalid',
      'provider_partially_configured',
      'managed_poll_returned_no_data',
      'managed_poll_failed',
      'data_delayed',
      // Older names of some codes, by which existing clients filter.
      'missing_permissions',
      'exceeded_retention_window',
      'invalid_source_id',
      'unknown_device_type',
      'missing_safety_configuration',
      'inaccessible_data',
      'manually_disabled',
    ),
    status: oneOf('ongoing', 'resolved'),
    expand: expand('connection'),
  }),
  operation: `
    query ListIssues(
      $first: Int, $after: String, $lastReportedAfter: DateTime, $lastReportedBefore: DateTime,
      $connectionId: ID, $errorCode: IssueCode, $status: IssueStatus, $connection: Boolean!
    ) {
      issues(
        first: $first, after: $after, lastReportedAfter: $lastReportedAfter, lastReportedBefore: $lastReportedBefore,
        connectionId: $connectionId, errorCode: $errorCode, status: $status
      ) { nodes { ${issue} } ${pageInfo} }
    }`,
  response: pageShape('issues'),
})

export const resolveIssue = route({
  method: 'POST',
  path: '/issues/{id}/resolve',
  summary: 'Mark an issue as resolved',
  tag,
  auth: 'key',
  params: { id: 'issue' },
  query: z.object({}),
  mayFailWith: ['unprocessable_entity'],
  operation: `
    mutation ResolveIssue($id: ID!) { resolveIssue(input: { issueId: $id }) { issue { ${issueFields} } } }`,
  response: mutationShape('resolveIssue', 'issue'),
})
