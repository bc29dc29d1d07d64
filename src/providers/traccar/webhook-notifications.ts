import { type NotificationReader, isEqualConstantTime } from '../webhook-notifications.ts'

/** Types of events after which there is nothing to read. */
const WITHOUT_RECORDS: ReadonlySet<unknown> = new Set([
  'commandResult',
  'deviceInactive',
  'deviceOffline',
  'deviceOnline',
  'deviceUnknown',
  'queuedCommandSent',
  'textMessage',
])

/**
 * Traccar forwards positions and events without a signature, so the URL of the webhook must be secret. If the
 * connection also has a secret, each message needs the header `Authorization: Bearer <secret>`. The operator of the
 * server configures it in `forward.header` and `event.forward.header`.
 */
export const notifications: NotificationReader = {
  needsSecret: false,
  isGenuine: ({ headers }, secret) =>
    secret === null || isEqualConstantTime(headers['authorization'], `Bearer ${secret}`),
  readNotification({ event, position }) {
    if (isObject(event)) return WITHOUT_RECORDS.has(event['type']) ? null : 'records'
    return isObject(position) ? 'positions' : null
  },
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
