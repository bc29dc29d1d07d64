import { createDenylist } from '../passthrough/denylist.ts'

/**
 * Denies requests for secrets that outlive the connection. Webhooks return their signing key. Other endpoints
 * return tokens, codes and passwords of drivers, or links that need no sign-in.
 */
export const passthroughRefusal = createDenylist({
  secrets: {
    under: [
      'webhooks',
      'oauth2',
      'auth-token',
      // Preview of `auth-token`.
      'create-auth-token',
      'qr-codes',
      'live-shares',
    ],
    refusal:
      'Paths under /webhooks, /oauth2, /fleet/drivers/auth-token, /drivers/qr-codes and /live-shares at Samsara return secrets of the account, so requests to them are refused.',
  },
  people: {
    under: 'drivers',
    credentials: ['password'],
    refusal: 'A request about drivers may only have a JSON object as its body, and must not set `password`.',
  },
})
