import { hmacOf, type NotificationReader, isEqualConstantTime } from '../webhook-notifications.ts'

/** Sent when a webhook is enabled or changed. The response must be 200. */
const TEST_ACTION = 'test'

const POSITION_ACTIONS = /^(?:vehicle|asset)_location_/

/** Motive signs the body with HMAC-SHA1. Its messages have no timestamp. */
export const notifications: NotificationReader = {
  needsSecret: true,
  isGenuine: ({ headers, body }, secret) =>
    secret !== null && isEqualConstantTime(headers['x-kt-webhook-signature'], hmacOf('sha1', secret, body)),
  readNotification({ action }) {
    if (typeof action !== 'string' || action === TEST_ACTION) return null
    return POSITION_ACTIONS.test(action) ? 'positions' : 'records'
  },
}
