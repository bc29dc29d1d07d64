import { createDenylist } from '../passthrough/denylist.ts'

/**
 * Denies requests for secrets that outlive the connection: tokens, passwords, and shared devices, each of which has a
 * token.
 */
export const passthroughRefusal = createDenylist({
  secrets: {
    under: ['session', 'share', 'password'],
    refusal:
      'Paths under /session, /share and /password at Traccar give access to the account, so requests to them are refused.',
  },
  people: {
    under: 'users',
    credentials: ['password', 'token', 'totpkey'],
    refusal:
      'A request about users may only have a JSON object as its body, and must not set `password`, `token` or `totpKey`.',
  },
})
