import { registerEnumType } from 'type-graphql'

/** What is wrong (gaps 1.14). The last seven are the older words; nothing is reported by them any more. */
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
  description: 'How an issue comes to its end.',
  valuesConfig: {
    ACTION_REQUIRED: { description: 'Somebody must do something at the provider.' },
    AUTOMATIC_RETRY: { description: 'It is tried again by itself.' },
    KNOWN_LIMITATION: { description: 'It stays: the provider or the device cannot do it.' },
    INVESTIGATION_REQUIRED: { description: 'Somebody must find out first.' },
  },
})

const { ACTION_REQUIRED, AUTOMATIC_RETRY, KNOWN_LIMITATION, INVESTIGATION_REQUIRED } = IssueResolutionType

interface Meaning {
  readonly description: string
  readonly resolution: IssueResolutionType
}

const asks = (resolution: IssueResolutionType, description: string): Meaning => ({ description, resolution })

const meanings: Readonly<Partial<Record<IssueCode, Meaning>>> = {
  permission_missing: asks(
    ACTION_REQUIRED,
    'The account may not read this; its permissions must be widened.',
  ),
  oauth_scope_missing: asks(ACTION_REQUIRED, 'The consent lacks a scope; the account must be linked again.'),
  subscription_required: asks(ACTION_REQUIRED, "The account's plan at the provider does not include this."),
  retention_window_exceeded: asks(KNOWN_LIMITATION, 'The provider no longer has data this old.'),
  provider_data_inaccessible: asks(INVESTIGATION_REQUIRED, 'The provider does not give its data out.'),
  invalid_source_identifier: asks(INVESTIGATION_REQUIRED, 'The provider does not know one of its own ids.'),
  unsupported_device_type: asks(KNOWN_LIMITATION, 'A device is of a type that cannot be read.'),
  stream_disabled: asks(ACTION_REQUIRED, 'A stream of data was switched off.'),
  provider_provisioning_pending: asks(AUTOMATIC_RETRY, 'The provider has not set the account up yet.'),
  provider_feature_not_enabled: asks(ACTION_REQUIRED, 'A feature is not switched on at the provider.'),
  missing_vehicle_identifier: asks(ACTION_REQUIRED, 'A vehicle has nothing to know it by.'),
  missing_vehicle_assignment: asks(ACTION_REQUIRED, 'A device belongs to no vehicle.'),
  provider_capability_not_supported: asks(KNOWN_LIMITATION, 'The provider cannot do this.'),
  provider_source_data_invalid: asks(INVESTIGATION_REQUIRED, 'Records came in a form that cannot be read.'),
  provider_partially_configured: asks(ACTION_REQUIRED, 'The account is set up only in part.'),
  managed_poll_returned_no_data: asks(INVESTIGATION_REQUIRED, 'Managed polling finds no data.'),
  managed_poll_failed: asks(AUTOMATIC_RETRY, 'Managed polling fails.'),
  data_delayed: asks(AUTOMATIC_RETRY, 'The provider is late with its data.'),
}

/** What the older words are called now. */
const newerCodes: Readonly<Partial<Record<IssueCode, IssueCode>>> = {
  missing_permissions: IssueCode.PERMISSION_MISSING,
  exceeded_retention_window: IssueCode.RETENTION_WINDOW_EXCEEDED,
  invalid_source_id: IssueCode.INVALID_SOURCE_IDENTIFIER,
  unknown_device_type: IssueCode.UNSUPPORTED_DEVICE_TYPE,
  missing_safety_configuration: IssueCode.PROVIDER_FEATURE_NOT_ENABLED,
  inaccessible_data: IssueCode.PROVIDER_DATA_INACCESSIBLE,
  manually_disabled: IssueCode.STREAM_DISABLED,
}

/** The code that issues are stored with, also for an older word. */
export const currentCode = (code: IssueCode): IssueCode => newerCodes[code] ?? code

export const resolutionOf = (code: IssueCode): IssueResolutionType | null =>
  meanings[currentCode(code)]?.resolution ?? null

const descriptionOf = (code: IssueCode): string =>
  meanings[code]?.description ?? `An older word for ${currentCode(code).toUpperCase()}; a filter takes it.`

registerEnumType(IssueCode, {
  name: 'IssueCode',
  description: 'What is wrong with the data of a connection.',
  valuesConfig: Object.fromEntries(
    Object.entries(IssueCode).map(([name, code]) => [name, { description: descriptionOf(code) }]),
  ),
})
