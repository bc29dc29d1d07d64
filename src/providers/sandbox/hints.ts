import { digestOf, type Hints, isSame } from '../hints.ts'

/** To try webhooks out by hand: `{"type": "…"}` with the HMAC-SHA256 of the body, in hexadecimal, as its signature. */
export const hints: Hints = {
  needsSecret: true,
  isGenuine: ({ headers, body }, secret) =>
    secret !== null && isSame(headers['x-sandbox-signature'], digestOf('sha256', secret, body)),
  hintIn: ({ type }) => (type === 'position' ? 'positions' : 'records'),
}
