import { Switches } from '../kit/behaviours.ts'
import type { Fake, FakeContext } from '../kit/fake.ts'
import { behaviours } from './behaviours.ts'
import { refused } from './failure.ts'
import { oracleOf } from './oracle/oracle.ts'
import { routesOf } from './routes.ts'
import { SignIns } from './sign-in.ts'

/**
 * Creates a Traccar server with one user for each customer. Settings: `totp`, `disabled`, `maxPositions`,
 * `periodLimitSeconds`, and `atOnce`, a limit of concurrent calls of a user.
 */
export function traccarOf(context: FakeContext): Fake {
  const switches = new Switches(behaviours)
  const signIns = new SignIns(context, switches)
  return {
    routes: routesOf(context, switches, signIns),
    refusal: (status) => refused(status, status !== 401 || switches.is('bodyOf401', 'trace')),
    keyOf: (call) => String(signIns.accountOf(call) ?? 'nobody'),
    limitsOf: (call) => {
      const atOnce = Number(context.settings['atOnce'] ?? 0)
      const account = signIns.accountOf(call)
      return atOnce > 0 && account !== null
        ? [{ of: `${account} at once`, requests: atOnce, milliseconds: 0 }]
        : []
    },
    switches,
    truth: oracleOf(context, switches),
  }
}
