import { digestOf, type NotificationReader, isSame } from '../webhook-notifications.ts'

/** A message that was sent longer ago, or will only be sent, is a repetition by somebody else. */
const MAX_MESSAGE_AGE_MS = 5 * 60_000

/** Sent by hand to try a webhook out. */
const TRIAL = 'Ping'

/** Samsara signs with HMAC-SHA256 over `v1:<timestamp>:<body>`, by the bytes that its secret is the Base64 of. */
export const notifications: NotificationReader = {
  needsSecret: true,
  isGenuine({ headers, body }, secret, now) {
    const time = headers['x-samsara-timestamp'] ?? ''
    if (secret === null || !/^\d+$/.test(time) || Math.abs(now - Number(time) * 1000) > MAX_MESSAGE_AGE_MS)
      return false
    const right = digestOf('sha256', Buffer.from(secret, 'base64'), `v1:${time}:`, body)
    return isSame(headers['x-samsara-signature'], `v1=${right}`)
  },
  readNotification: ({ eventType }) =>
    typeof eventType !== 'string' || eventType === TRIAL ? null : 'records',
}
