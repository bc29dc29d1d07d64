import { createDenylist } from '../passthrough/denylist.ts'

/**
 * Why a request is not passed to Traccar. What it hands out or sets there would outlive the connection: tokens, shared
 * devices, which are signed in to with a token, and passwords.
 */
export const whyNotPassed = createDenylist({
  secrets: {
    under: ['session', 'share', 'password'],
    refusal:
      'What is under /session, /share and /password at Traccar signs somebody in: it is not passed on.',
  },
  people: {
    under: 'users',
    credentials: ['password', 'token', 'totpkey'],
    refusal:
      'A user is passed on to Traccar as an object in JSON, without `password`, `token` and `totpKey`.',
  },
})
