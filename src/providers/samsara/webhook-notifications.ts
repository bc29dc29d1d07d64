import { hmacOf, type NotificationReader, isEqualConstantTime } from '../webhook-notifications.ts'

/** Maximum difference between our clock and the timestamp of a message. Older messages may be replayed ones. */
const MAX_MESSAGE_AGE_MS = 5 * 60_000

/** Type of the message with which a user tests a webhook at Samsara. */
const TEST_EVENT = 'Ping'

/** Samsara signs `v1:<timestamp>:<body>` with HMAC-SHA256. The key is the secret, decoded from Base64. */
export const notifications: NotificationReader = {
  needsSecret: true,
  isGenuine({ headers, body }, secret, now) {
    const time = headers['x-samsara-timestamp'] ?? ''
    if (secret === null || !/^\d+$/.test(time) || Math.abs(now - Number(time) * 1000) > MAX_MESSAGE_AGE_MS)
      return false
    const expected = hmacOf('sha256', Buffer.from(secret, 'base64'), `v1:${time}:`, body)
    return isEqualConstantTime(headers['x-samsara-signature'], `v1=${expected}`)
  },
  readNotification: ({ eventType }) =>
    typeof eventType !== 'string' || eventType === TEST_EVENT ? null : 'records',
}
