import { registerEnumType } from 'type-graphql'

/** Code of an issue. The last seven are deprecated synonyms: only filters accept them. */
export enum IssueCode {
  PERMISSION_MISSING = 'permission_missing',
  OAUTH_SCOPE_MISSING = 'oauth_scope_missing',
  SUBSCRIPTION_REQUIRED = 'subscription_required',
  RETENTION_WINDOW_EXCEEDED = 'retention_window_exceeded',
  PROVIDER_DATA_INACCESSIBLE = 'provider_data_inaccessible',
  INVALID_SOURCE_IDENTIFIER = 'invalid_source_identifier',
  UNSUPPORTED_DEVICE_TYPE = 'unsupported_device_type',
  STREAM_DISABLED = 'stream_disabled',
  PROVIDER_PROVISIONING_PENDING = 'provider_provisioning_pending',
  PROVIDER_FEATURE_NOT_ENABLED = 'provider_feature_not_enabled',
  MISSING_VEHICLE_IDENTIFIER = 'missing_vehicle_identifier',
  MISSING_VEHICLE_ASSIGNMENT = 'missing_vehicle_assignment',
  PROVIDER_CAPABILITY_NOT_SUPPORTED = 'provider_capability_not_supported',
  PROVIDER_SOURCE_DATA_INVALID = 'provider_source_data_invalid',
  PROVIDER_PARTIALLY_CONFIGURED = 'provider_partially_configured',
  MANAGED_POLL_RETURNED_NO_DATA = 'managed_poll_returned_no_data',
  MANAGED_POLL_FAILED = 'managed_poll_failed',
  DATA_DELAYED = 'data_delayed',
  MISSING_PERMISSIONS = 'missing_permissions',
  EXCEEDED_RETENTION_WINDOW = 'exceeded_retention_window',
  INVALID_SOURCE_ID = 'invalid_source_id',
  UNKNOWN_DEVICE_TYPE = 'unknown_device_type',
  MISSING_SAFETY_CONFIGURATION = 'missing_safety_configuration',
  INACCESSIBLE_DATA = 'inaccessible_data',
  MANUALLY_DISABLED = 'manually_disabled',
}

export enum IssueResolutionType {
  ACTION_REQUIRED = 'action_required',
  AUTOMATIC_RETRY = 'automatic_retry',
  KNOWN_LIMITATION = 'known_limitation',
  INVESTIGATION_REQUIRED = 'investigation_required',
}

registerEnumType(IssueResolutionType, {
  name: 'IssueResolutionType',
  description: 'How an issue is resolved.',
  valuesConfig: {
    ACTION_REQUIRED: { description: 'A person must change something at the provider.' },
    AUTOMATIC_RETRY: { description: 'Odograph retries automatically.' },
    KNOWN_LIMITATION: { description: 'The issue stays: the provider or the device does not support this.' },
    INVESTIGATION_REQUIRED: { description: 'A person must investigate first.' },
  },
})

const { ACTION_REQUIRED, AUTOMATIC_RETRY, KNOWN_LIMITATION, INVESTIGATION_REQUIRED } = IssueResolutionType

interface Meaning {
  readonly description: string
  readonly resolution: IssueResolutionType
}

const meaning = (resolution: IssueResolutionType, description: string): Meaning => ({
  description,
  resolution,
})

const meanings: Readonly<Partial<Record<IssueCode, Meaning>>> = {
  permission_missing: meaning(
    ACTION_REQUIRED,
    'The account is not permitted to read these data. Extend its permissions at the provider.',
  ),
  oauth_scope_missing: meaning(
    ACTION_REQUIRED,
    'The consent lacks a scope. The account must be linked again.',
  ),
  subscription_required: meaning(
    ACTION_REQUIRED,
    "The account's plan at the provider does not include these data.",
  ),
  retention_window_exceeded: meaning(KNOWN_LIMITATION, 'The provider no longer has data this old.'),
  provider_data_inaccessible: meaning(INVESTIGATION_REQUIRED, 'The provider does not release the data.'),
  invalid_source_identifier: meaning(
    INVESTIGATION_REQUIRED,
    'The provider does not recognize one of its own ids.',
  ),
  unsupported_device_type: meaning(KNOWN_LIMITATION, 'A device has a type that is not supported.'),
  stream_disabled: meaning(ACTION_REQUIRED, 'A data stream was disabled.'),
  provider_provisioning_pending: meaning(AUTOMATIC_RETRY, 'The provider has not set the account up yet.'),
  provider_feature_not_enabled: meaning(ACTION_REQUIRED, 'A feature is not enabled at the provider.'),
  missing_vehicle_identifier: meaning(ACTION_REQUIRED, 'A vehicle has no identifier.'),
  missing_vehicle_assignment: meaning(ACTION_REQUIRED, 'A device is not assigned to a vehicle.'),
  provider_capability_not_supported: meaning(KNOWN_LIMITATION, 'The provider does not support this.'),
  provider_source_data_invalid: meaning(
    INVESTIGATION_REQUIRED,
    'The provider sent records in an invalid format.',
  ),
  provider_partially_configured: meaning(ACTION_REQUIRED, 'The account is only partially configured.'),
  managed_poll_returned_no_data: meaning(INVESTIGATION_REQUIRED, 'Managed polling returns no data.'),
  managed_poll_failed: meaning(AUTOMATIC_RETRY, 'Managed polling fails.'),
  data_delayed: meaning(AUTOMATIC_RETRY, 'The provider delivers its data late.'),
}

/** Current codes of the deprecated synonyms. */
const currentCodes: Readonly<Partial<Record<IssueCode, IssueCode>>> = {
  missing_permissions: IssueCode.PERMISSION_MISSING,
  exceeded_retention_window: IssueCode.RETENTION_WINDOW_EXCEEDED,
  invalid_source_id: IssueCode.INVALID_SOURCE_IDENTIFIER,
  unknown_device_type: IssueCode.UNSUPPORTED_DEVICE_TYPE,
  missing_safety_configuration: IssueCode.PROVIDER_FEATURE_NOT_ENABLED,
  inaccessible_data: IssueCode.PROVIDER_DATA_INACCESSIBLE,
  manually_disabled: IssueCode.STREAM_DISABLED,
}

/**
 * Replaces a deprecated synonym by its current code. Issues are stored with current codes, so filters need them.
 */
export const currentCode = (code: IssueCode): IssueCode => currentCodes[code] ?? code

export const resolutionOf = (code: IssueCode): IssueResolutionType | null =>
  meanings[currentCode(code)]?.resolution ?? null

const descriptionOf = (code: IssueCode): string =>
  meanings[code]?.description ??
  `A deprecated synonym of ${currentCode(code).toUpperCase()}. Only filters accept it.`

registerEnumType(IssueCode, {
  name: 'IssueCode',
  description: 'The kind of an issue.',
  valuesConfig: Object.fromEntries(
    Object.entries(IssueCode).map(([name, code]) => [name, { description: descriptionOf(code) }]),
  ),
})
