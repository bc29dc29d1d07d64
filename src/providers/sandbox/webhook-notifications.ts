import { hmacOf, type NotificationReader, isEqualConstantTime } from '../webhook-notifications.ts'

/**
 * Reads webhooks for manual tests: `{"type": "…"}`, signed with the HMAC-SHA256 of the body in hexadecimal.
 */
export const notifications: NotificationReader = {
  needsSecret: true,
  isGenuine: ({ headers, body }, secret) =>
    secret !== null && isEqualConstantTime(headers['x-sandbox-signature'], hmacOf('sha256', secret, body)),
  readNotification: ({ type }) => (type === 'position' ? 'positions' : 'records'),
}
