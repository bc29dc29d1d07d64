import { hmacOf, type NotificationReader, isEqualConstantTime } from '../webhook-notifications.ts'

/** Action of the message that Motive sends when a webhook is enabled or changed. It expects status 200. */
const TEST_ACTION = 'test'

const POSITION_ACTIONS = /^(?:vehicle|asset)_location_/

/** Motive signs the body with HMAC-SHA1. Its messages have no timestamp, so their age is not checked. */
export const notifications: NotificationReader = {
  needsSecret: true,
  isGenuine: ({ headers, body }, secret) =>
    secret !== null && isEqualConstantTime(headers['x-kt-webhook-signature'], hmacOf('sha1', secret, body)),
  readNotification({ action }) {
    if (typeof action !== 'string' || action === TEST_ACTION) return null
    return POSITION_ACTIONS.test(action) ? 'positions' : 'records'
  },
}
