import { hmacOf, type NotificationReader, isEqualConstantTime } from '../webhook-notifications.ts'

/** To try webhooks out by hand: `{"type": "…"}` with the HMAC-SHA256 of the body, in hexadecimal, as its signature. */
export const notifications: NotificationReader = {
  needsSecret: true,
  isGenuine: ({ headers, body }, secret) =>
    secret !== null && isEqualConstantTime(headers['x-sandbox-signature'], hmacOf('sha256', secret, body)),
  readNotification: ({ type }) => (type === 'position' ? 'positions' : 'records'),
}
