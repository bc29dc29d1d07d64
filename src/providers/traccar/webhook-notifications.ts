import { type NotificationReader, isEqualConstantTime } from '../webhook-notifications.ts'

/** Events without recorded data. */
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
 * Traccar forwards positions and events without a signature, so the URL itself must be secret. With a secret,
 * the operator configures a header in `forward.header` and `event.forward.header`: `Authorization: Bearer …`.
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
