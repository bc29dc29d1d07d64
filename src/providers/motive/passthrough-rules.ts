import { createDenylist } from '../passthrough/denylist.ts'

/**
 * Why a request is not passed to Motive. A webhook tells the secret that its messages are signed with; tokens, and
 * passwords of drivers and of the company's other users, would outlive the connection.
 */
export const whyNotPassed = createDenylist({
  secrets: {
    under: ['company_webhooks', 'oauth'],
    refusal:
      'What is under /v1/company_webhooks and /oauth at Motive tells secrets of the account: it is not passed on.',
  },
  people: {
    under: 'users',
    credentials: ['password'],
    refusal: 'A user is passed on to Motive as an object in JSON, without `password`.',
  },
})
