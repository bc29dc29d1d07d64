import { type NotificationReader, isSame } from '../webhook-notifications.ts'

/** Events that say something of a device and nothing of what it has recorded. */
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
 * Traccar forwards positions and events without a signature: whoever knows the address may. With a secret they bring it
 * along, by `forward.header` and `event.forward.header`: `Authorization: Bearer …`.
 */
export const notifications: NotificationReader = {
  needsSecret: false,
  isGenuine: ({ headers }, secret) => secret === null || isSame(headers['authorization'], `Bearer ${secret}`),
  readNotification({ event, position }) {
    if (isObject(event)) return WITHOUT_RECORDS.has(event['type']) ? null : 'records'
    return isObject(position) ? 'positions' : null
  },
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
