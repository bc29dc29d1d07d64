import { hmacOf, type NotificationReader, isEqualConstantTime } from '../webhook-notifications.ts'

/**
 * Reads webhooks that a developer or test sends; the simulator sends none. The type `position` in the body
 * means new positions, any other type means new records. X-Sandbox-Signature is the HMAC-SHA256 of the body in
 * hexadecimal.
 */
export const notifications: NotificationReader = {
  needsSecret: true,
  isGenuine: ({ headers, body }, secret) =>
    secret !== null && isEqualConstantTime(headers['x-sandbox-signature'], hmacOf('sha256', secret, body)),
  readNotification: ({ type }) => (type === 'position' ? 'positions' : 'records'),
}
