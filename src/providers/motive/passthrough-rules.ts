import { createDenylist } from '../passthrough/denylist.ts'

/**
 * Denies requests for data that outlives the connection: webhooks return their signing secret; OAuth returns
 * tokens; users of the company have passwords.
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
