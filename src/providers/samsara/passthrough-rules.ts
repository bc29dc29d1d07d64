import { createDenylist } from '../passthrough/denylist.ts'

/**
 * Why a request is not passed to Samsara. A webhook tells the key that its messages are signed with; tokens, the codes
 * and passwords of drivers, and what is shared with anybody who has its address, would outlive the connection.
 */
export const whyNotPassed = createDenylist({
  secrets: {
    under: [
      'webhooks',
      'oauth2',
      'auth-token',
      // As long as that is a preview.
      'create-auth-token',
      'qr-codes',
      'live-shares',
    ],
    refusal:
      'What is under /webhooks, /oauth2, /fleet/drivers/auth-token, /drivers/qr-codes and /live-shares at Samsara tells secrets of the account: it is not passed on.',
  },
  people: {
    under: 'drivers',
    credentials: ['password'],
    refusal: 'A driver is passed on to Samsara as an object in JSON, without `password`.',
  },
})
