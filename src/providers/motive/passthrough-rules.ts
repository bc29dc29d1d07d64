import { createDenylist } from '../passthrough/denylist.ts'

/**
 * Denies requests for secrets that outlive the connection. Webhooks return their signing secret, and OAuth returns
 * tokens. A request about a user can set a password.
 */
export const passthroughRefusal = createDenylist({
  secrets: {
    under: ['company_webhooks', 'oauth'],
    refusal:
      'Paths under /v1/company_webhooks and /oauth at Motive return secrets of the account, so requests to them are refused.',
  },
  people: {
    under: 'users',
    credentials: ['password'],
    refusal: 'A request about users may only have a JSON object as its body, and must not set `password`.',
  },
})
