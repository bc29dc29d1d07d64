import { digestOf, type NotificationReader, isSame } from '../webhook-notifications.ts'

/** Sent when a webhook is switched on or changed: it must be answered with 200. */
const TRIAL = 'test'

const OF_POSITIONS = /^(?:vehicle|asset)_location_/

/** Motive signs with HMAC-SHA1 over the body, and does not say when it was sent. */
export const notifications: NotificationReader = {
  needsSecret: true,
  isGenuine: ({ headers, body }, secret) =>
    secret !== null && isSame(headers['x-kt-webhook-signature'], digestOf('sha1', secret, body)),
  readNotification({ action }) {
    if (typeof action !== 'string' || action === TRIAL) return null
    return OF_POSITIONS.test(action) ? 'positions' : 'records'
  },
}
